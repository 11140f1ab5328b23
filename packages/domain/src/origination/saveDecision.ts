import { Effect, type Result, type Schema } from "effect"
import { type Actor, recordChange } from "../event/recordChange.ts"
import { type InScope } from "../hierarchy/Scope.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { evolve } from "../loan/evolve.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { rejectionOf } from "../loan/Proposal.ts"
import { partsOf } from "../loan/quoteParts.ts"
import { invisibleEvents, isInvisible } from "../loan/visibleVersion.ts"
import { type Quote } from "../offer/Quote.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { eventsOfLoan } from "./eventsOfLoan.ts"
import { recordCommissions } from "./recordCommissions.ts"

/** The time, the principal and the audit action of a decision. */
export interface DecisionContext {
  readonly at: Timestamp
  /** Null for the operator at the command line. */
  readonly caller: Actor | null
  readonly action: string
  /** Additional fields for the audit. */
  readonly details?: (application: Application) => Effect.Effect<Schema.JsonObject>
}

/**
 * Saves the events of a decision with an audit entry, and returns the new application. Call it in the transaction in
 * which the application was read. Invisible events (PROP-16) have no audit entry, except the first start of a
 * submission. So repeated starts during an outage of the lender do not fill the audit.
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
  yield* recordCommissions(application, events)
  if (events.every(isInvisible) && invisibleEvents(application) > 0) return after
  yield* recordChange({
    events: eventsOfLoan(application, events),
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

const auditedQuote = (quote: Quote): Schema.JsonObject => {
  const { number, outcome, rejection, routing } = quote
  const parts = Object.fromEntries(partsOf(quote).map((part) => [part.lender.code, part.outcome]))
  return { number, outcome, rejection: rejection?.code ?? null, ...(routing === undefined ? {} : { parts }) }
}

/** Returns the fields of an application that the audit records: customer, metadata, progress and submitted KYC. */
export const auditedFacts = (
  { customer, external_id, kyc, metadata, proposal, quotes }: Application
): Schema.JsonObject => ({
  external_id,
  metadata: { ...metadata },
  customer: { ...customer },
  quote: auditedQuote(latestQuote({ quotes })),
  kyc: kyc === null ? null : { ...kyc },
  proposal: proposal === null ? null : {
    proposal_id: proposal.proposal_id,
    offer_id: proposal.offer_id,
    status: proposal.status,
    acceptance: { ...proposal.acceptance },
    rejection: rejectionOf(proposal)?.code ?? null,
    disbursement_attempt: proposal.disbursement_attempt
  }
})
