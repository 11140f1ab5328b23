import { type Application } from "../loan/Application.ts"
import { type Cancellation, paymentOf, type Proposal, type Withdrawal } from "../loan/Proposal.ts"
import { type Quote } from "../offer/Quote.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** A recorded fact of an application, with its time. It contains no personal data. */
export interface HistoryEntry {
  readonly at: Timestamp
  readonly event: string
  /** Null if the fact has no details. */
  readonly detail: string | null
}

const entry = (at: Timestamp | null | undefined, event: string, detail: string | null = null) =>
  at === null || at === undefined ? [] : [{ at, event, detail }]

const ofQuote = ({ completed_at, created_at, number, offers, outcome, quote_id, rejection }: Quote) => [
  ...entry(created_at, "QUOTE_REQUESTED", `quote ${number}, ${quote_id}`),
  ...entry(
    completed_at,
    `QUOTE_${outcome}`,
    `quote ${number}, ${rejection === null ? `${offers.length} offers` : rejection.code}`
  )
]

const ofRequest = (request: Cancellation | Withdrawal | null, event: string) =>
  entry(request?.requested_at, event, request?.reason)

const ofProposal = (proposal: Proposal) => [
  ...entry(proposal.created_at, "OFFER_ACCEPTED", `proposal ${proposal.proposal_id}, by ${proposal.created_by}`),
  ...entry(proposal.submitted_at, "SUBMISSION_STARTED"),
  ...("cancellation" in proposal ? ofRequest(proposal.cancellation, "CANCELLATION_REQUESTED") : []),
  ...("withdrawal" in proposal ? ofRequest(proposal.withdrawal, "WITHDRAWAL_REQUESTED") : []),
  ...("link_requested_at" in proposal ? entry(proposal.link_requested_at, "SIGNATURE_LINK_REQUESTED") : []),
  ...entry(paymentOf(proposal)?.at, "PAID_BY_LENDER"),
  ...proposal.status_history.flatMap(({ at, reason, status }) => entry(at, `PROPOSAL_${status}`, reason))
]

/** Orders entries by time. A stable sort keeps the order of entries with the same time. */
const byTime = (a: HistoryEntry, b: HistoryEntry): number => {
  if (a.at === b.at) return 0
  return a.at < b.at ? -1 : 1
}

/**
 * The history of an application is built from its present state, in order of time. It has its creation, quotes,
 * acceptance, submission, statuses, cancellation, withdrawal and signature links. Facts of the same time are in their
 * logical order.
 * @rule FGTS-56
 */
export const applicationHistory = (application: Application): ReadonlyArray<HistoryEntry> =>
  [
    ...entry(application.created_at, "APPLICATION_CREATED", `by ${application.created_by}`),
    ...application.quotes.flatMap(ofQuote),
    ...entry(application.cancellation?.at, "APPLICATION_CANCELLED", application.cancellation?.reason),
    ...(application.proposal === null ? [] : ofProposal(application.proposal)),
    ...entry(application.partner_deleted_at, "PARTNER_DELETED")
  ].toSorted(byTime)
