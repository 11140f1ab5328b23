import { type Application, ApplicationRepository, asOperator, type PartnerDetail } from "@lastro/domain"
import { Effect } from "effect"
import { type History } from "../arbitraries/histories.ts"
import { freshHistory } from "../given/freshHistory.ts"
import { givenApplication, saving } from "../given/givenApplication.ts"
import { judged, opened, scopeOfPartner } from "./read.ts"

/** The application as a caller of this partner finds it now. */
export const rereadApplication = (caller: PartnerDetail, { application_id }: Application) =>
  Effect.gen(function*() {
    return judged(yield* (yield* ApplicationRepository).find(scopeOfPartner(caller), application_id))
  })

/** The application found for update, by a caller of this partner. */
export const applicationForUpdate = (caller: PartnerDetail, { application_id }: Application) =>
  Effect.gen(function*() {
    return yield* opened((yield* ApplicationRepository).findForUpdate(scopeOfPartner(caller), application_id))
  })

/** Adds an application to a partner and saves it at every stage of a history; answers it as it is in the end. */
export const givenHistory = Effect.fnUntraced(function*(partner: PartnerDetail, history: History) {
  const { opening: { _tag, partner_id: _, ...opening }, steps } = yield* freshHistory(history, partner.partner_id)
  let stage = yield* givenApplication(partner, opening)
  for (const { after } of steps) stage = yield* saving(stage, after)
  return stage
})

/** Records one more fact of an application, in two steps that another transaction could come between. */
export const recordAgain = Effect.fnUntraced(function*(caller: PartnerDetail, application: Application) {
  const before = yield* applicationForUpdate(caller, application)
  yield* Effect.yieldNow
  const after = { ...before.record, version: before.record.version + 1 }
  yield* (yield* ApplicationRepository).save(asOperator.inScope(before.record), after)
})
