import { Effect, type Result, type Schema } from "effect"
import { recordAudit } from "../audit/recordAudit.ts"
import { type InScope } from "../hierarchy/Scope.ts"
import { type Application } from "../loan/Application.ts"
import { auditedFacts } from "../loan/auditedFacts.ts"
import { evolve } from "../loan/evolve.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/** The time, the principal and the audit action of a decision. */
export interface DecisionContext {
  readonly at: Timestamp
  /** Null for the operator at the command line. */
  readonly caller: { readonly subject: string } | null
  readonly action: string
  /** Additional fields for the audit. */
  readonly details?: (application: Application) => Effect.Effect<Schema.JsonObject>
}

/**
 * Saves the events of a decision with an audit entry, and returns the new application. Call it in the transaction in
 * which the application was read.
 */
export const saveDecision = Effect.fnUntraced(function*<E>(
  before: InScope<Application>,
  decided: Result.Result<ReadonlyArray<LoanEvent>, E>,
  { action, at, caller, details = () => Effect.succeed({}) }: DecisionContext
) {
  const events = yield* Effect.fromResult(decided)
  const application = before.record
  if (events.length === 0) return application
  const after = events.reduce(evolve, application)
  yield* (yield* ApplicationRepository).save(before, after)
  yield* recordAudit({
    at,
    caller,
    action,
    subject_id: application.application_id,
    partner_id: application.partner_id,
    before: { ...auditedFacts(application), ...yield* details(application) },
    after: { ...auditedFacts(after), ...yield* details(after) }
  })
  return after
})
