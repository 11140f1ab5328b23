import { type Application, ApplicationRepository, asOperator, type PartnerDetail } from "@lastro/domain"
import { Effect } from "effect"
import { anApplication, type OpeningFields } from "./anApplication.ts"
import { accepted, quoted, withKyc } from "./applicationStages.ts"
import { insertApplication } from "./insertApplication.ts"

/** Adds an application that was just opened to a partner, as the operator. */
export const givenApplication = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: OpeningFields = {}
) {
  return yield* insertApplication(yield* anApplication(fields).of(partner))
})

/** Saves an application as it is after a further stage, as the operator, and answers it. */
export const saving = Effect.fnUntraced(function*(before: Application, after: Application) {
  yield* (yield* ApplicationRepository).save(asOperator.inScope(before), after)
  return after
})

/** Adds an application with an accepted offer to a partner, as the operator. */
export const givenContract = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: OpeningFields = {}
) {
  const application = yield* givenApplication(partner, fields)
  const offered = yield* saving(application, yield* quoted(application))
  const known = yield* saving(offered, withKyc(offered))
  return yield* saving(known, yield* accepted(known))
})
