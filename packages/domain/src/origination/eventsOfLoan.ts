import { type EventData, type NewEvent, proposalType } from "../event/DomainEvent.ts"
import { type Application, contractTerms, latestQuote } from "../loan/Application.ts"
import { applicationStatus } from "../loan/ApplicationStatus.ts"
import { evolve } from "../loan/evolve.ts"
import { type LoanEvent } from "../loan/LoanEvent.ts"
import { paymentOf, type Proposal, rejectionOf, settledAt } from "../loan/Proposal.ts"
import { isInvisible, visibleVersion } from "../loan/visibleVersion.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { reaisOf } from "../values/Centavos.ts"
import { type QuoteId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/**
 * Every change of a loan that a caller can see appends events. There is one for each quote, KYC submission, acceptance,
 * cancellation and new status of a proposal. A change of other facts of a proposal appends `proposal.updated`. Late
 * offers append another `application.quoted`. The data has only ids, statuses, codes, amounts and times.
 * @rule EVENT-01
 */
export const eventsOfLoan = (before: Application, events: ReadonlyArray<LoanEvent>): ReadonlyArray<NewEvent> => {
  let present = before
  return events.flatMap((event) => {
    const previous = present
    present = evolve(present, event)
    return isInvisible(event) ? [] : eventsOf(previous, event, present)
  })
}

/** Returns the event of a new application. */
export const applicationCreated = (application: Application): NewEvent => applicationEvent("created", application)

/**
 * An application expires when all offers of its latest quote have expired, unless it was accepted or cancelled before.
 * `application.expired` is appended once for each quote. If late offers are added after that, it is appended again when
 * they have expired.
 * @rule EVENT-08
 */
export const applicationExpired = (
  application: Application,
  quote_id: QuoteId,
  at: Timestamp
): NewEvent | undefined =>
  latestQuote(application).quote_id === quote_id && applicationStatus(application, at) === "EXPIRED"
    ? applicationEvent("expired", application, {}, at)
    : undefined

/** Returns the event of a change of an application's metadata, which is no step of the loan. */
export const applicationUpdated = (application: Application, at: Timestamp): NewEvent =>
  applicationEvent("updated", application, {}, at)

const eventsOf = (before: Application, event: LoanEvent, after: Application): ReadonlyArray<NewEvent> => {
  switch (event._tag) {
    case "QuoteRequested":
      return [applicationEvent("requoted", after)]
    case "QuoteCompleted":
      return [applicationEvent("quoted", after, { offers: latestQuote(after).offers.length })]
    case "LenderOffered":
      return latestQuote(after).outcome === "COMPLETED"
        ? [applicationEvent("quoted", after, { offers: latestQuote(after).offers.length })]
        : []
    case "LenderAsked":
    case "LenderFailed":
    case "LenderPostponed":
    case "LenderRejected":
    case "LenderSkipped":
      return []
    case "QuoteRejected":
      return [applicationEvent("rejected", after, rejectionData(event.rejection))]
    case "QuoteFailed":
      return [applicationEvent("quote_failed", after, rejectionData(event.rejection))]
    case "KycSubmitted":
      return [applicationEvent("kyc_submitted", after)]
    case "ApplicationCancelled":
      return [applicationEvent("cancelled", after, { reason: event.reason, ...rejectionData(event.rejection) })]
    case "OfferAccepted":
      return [
        applicationEvent("accepted", after, { offer_id: event.offer_id, proposal_id: event.proposal_id }),
        ...proposalEvents(before, after)
      ]
    default:
      return proposalEvents(before, after)
  }
}

const rejectionData = ({ code, kind, retry_at }: RejectionReason): EventData => ({
  rejection_code: code,
  rejection_kind: kind,
  retry_at
})

const applicationEvent = (
  what:
    | "created"
    | "updated"
    | "requoted"
    | "quoted"
    | "rejected"
    | "quote_failed"
    | "kyc_submitted"
    | "accepted"
    | "cancelled"
    | "expired",
  application: Application,
  data: EventData = {},
  at: Timestamp = application.updated_at
): NewEvent => ({
  type: `application.${what}`,
  subject: {
    kind: "application",
    id: application.application_id,
    version: visibleVersion(application, at)
  },
  data: {
    application_id: application.application_id,
    quote_id: latestQuote(application).quote_id,
    status: applicationStatus(application, at),
    ...data
  }
})

const proposalEvents = (before: Application, after: Application): ReadonlyArray<NewEvent> => {
  const { proposal } = after
  if (proposal === null) return []
  const entered = proposal.status_history.slice(before.proposal?.status_history.length ?? 0)
  const types = entered.length === 0 ? ["proposal.updated" as const] : entered.map(({ status }) => proposalType(status))
  return types.map((type) => ({
    type,
    subject: {
      kind: "proposal",
      id: proposal.proposal_id,
      version: visibleVersion(after, after.updated_at)
    },
    data: proposalData(after, proposal)
  }))
}

const proposalData = (application: Application, proposal: Proposal): EventData => {
  const rejection = rejectionOf(proposal)
  const payment = paymentOf(proposal)
  const terms = contractTerms(application)
  const settled_at = settledAt(proposal)
  return {
    application_id: application.application_id,
    proposal_id: proposal.proposal_id,
    offer_id: proposal.offer_id,
    status: proposal.status,
    net_amount: terms === null ? null : reaisOf(terms.net_amount),
    disbursement_attempt: proposal.disbursement_attempt,
    ...(rejection === null ? {} : rejectionData(rejection)),
    ...(payment === null ? {} : { paid_amount: reaisOf(payment.amount), paid_at: payment.at }),
    ...(settled_at === null ? {} : { settled_at })
  }
}
