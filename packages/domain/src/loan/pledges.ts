import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type Application } from "./Application.ts"
import { contractOf, type Proposal, type ProposalStatus } from "./Proposal.ts"

type Terms = Pick<PricedOffer, "installments">

const pledging: Readonly<Record<ProposalStatus, boolean>> = {
  SUBMITTING: true,
  CORRECTION_NEEDED: true,
  AWAITING_SIGNATURE: true,
  GUARANTEE_PENDING: true,
  DISBURSING: true,
  DISBURSEMENT_FAILED: true,
  PAID: true,
  CANCELLING: true,
  REFUND_PENDING: true,
  CANCELLED: false,
  REJECTED: false,
  REFUNDED: false
}

/**
 * A proposal pledges its annual withdrawals from its acceptance until it is CANCELLED, REJECTED or REFUNDED. A proposal
 * that is CANCELLING or REFUND_PENDING still pledges them.
 * @rule FGTS-46
 */
export const isPledging = ({ status }: Pick<Proposal, "status">): boolean => pledging[status]

/** Lists the statuses of proposals whose contract was paid, even if it was refunded. */
const wasPaid: Readonly<Record<ProposalStatus, boolean>> = {
  SUBMITTING: false,
  CORRECTION_NEEDED: false,
  AWAITING_SIGNATURE: false,
  GUARANTEE_PENDING: false,
  DISBURSING: false,
  DISBURSEMENT_FAILED: false,
  PAID: true,
  CANCELLING: false,
  REFUND_PENDING: true,
  CANCELLED: false,
  REJECTED: false,
  REFUNDED: true
}

/** Returns whether the customer of these applications already had a contract that was paid (FGTS-58). */
export const hadPaidContract = (applications: ReadonlyArray<Pick<Application, "proposal">>): boolean =>
  applications.some(({ proposal }) => proposal !== null && wasPaid[proposal.status])

const yearsOf = ({ installments }: Terms): ReadonlyArray<number> =>
  installments.map(({ due_date }) => Number(due_date.slice(0, 4)))

const pledgedBy = ({ proposal, quotes }: Pick<Application, "proposal" | "quotes">): ReadonlyArray<number> =>
  proposal === null || !isPledging(proposal)
    ? []
    : quotes.flatMap(({ offers }) => offers)
      .filter(({ offer_id }) => offer_id === proposal.offer_id)
      .flatMap(({ terms }) => yearsOf(contractOf(proposal)?.terms ?? terms))

/** Returns the years of the annual withdrawals that the proposals of these applications pledge. */
export const pledgedYears = (
  applications: ReadonlyArray<Pick<Application, "proposal" | "quotes">>
): ReadonlySet<number> => new Set(applications.flatMap(pledgedBy))

/**
 * A customer pledges each annual withdrawal at most once. An offer cannot be accepted if one of its instalments is due
 * in a year whose withdrawal another proposal of the customer pledges.
 * @rule FGTS-47
 */
export const isPledgedAlready = (terms: Terms, pledged: ReadonlySet<number>): boolean =>
  yearsOf(terms).some((year) => pledged.has(year))
