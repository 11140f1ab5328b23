import { type Application, ApplicationRepository, asOperator } from "@lastro/domain"
import { Effect } from "effect"

/** Adds an application to its partner, as the operator. */
export const insertApplication = Effect.fnUntraced(function*(application: Application) {
  yield* (yield* ApplicationRepository).insert(asOperator.inScope(application.partner_id), application)
  return application
})
