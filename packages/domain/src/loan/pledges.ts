import { dueDates } from "../offer/installments.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type Quote } from "../offer/Quote.ts"
import { addDays, type CalendarDate, saoPauloDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { millisOf, type Timestamp, timestampOf } from "../values/Timestamp.ts"
import { fractionOf } from "../values/Uuid.ts"
import { type Application, contractTerms, lenderOfContract } from "./Application.ts"
import { type Proposal, type ProposalStatus } from "./Proposal.ts"

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
  REFUNDED: false,
  SETTLED: false
}

/**
 * A proposal pledges its annual withdrawals from its acceptance until it is CANCELLED, REJECTED, REFUNDED or SETTLED. A
 * proposal that is CANCELLING or REFUND_PENDING still pledges them.
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
  REFUNDED: true,
  SETTLED: true
}

/**
 * Returns whether a contract can be at a lender. A contract that a version without codes has stored can be at any
 * lender, and so can every contract if the code of the lender is not known.
 */
export const mayBeAtLender = (
  application: Pick<Application, "proposal" | "quotes">,
  lender: string | null | undefined
): boolean => {
  const code = lenderOfContract(application)
  return code === null || (lender ?? code) === code
}

/** Returns whether the customer of these applications already had a contract at a lender that was paid (FGTS-58). */
export const hadPaidContract = (
  applications: ReadonlyArray<Pick<Application, "proposal" | "quotes">>,
  lender: string | null | undefined
): boolean =>
  applications.some((application) =>
    application.proposal !== null && wasPaid[application.proposal.status] && mayBeAtLender(application, lender)
  )

/** Number of calendar days after its due date on which a withdrawal is still pledged. */
const pledgeDays = 40

/**
 * The pledge of a withdrawal ends 40 days after its due date, in America/Sao_Paulo. CAIXA has paid the withdrawal to
 * the lender by then.
 * @rule FGTS-60
 */
export const isPledgeOver = (due_date: CalendarDate, on: CalendarDate): boolean => addDays(due_date, pledgeDays) <= on

/** Number of calendar days after the due date of a withdrawal at which a paid contract is polled. */
const settlementDays = 10

/** Length of the time over which the polls of one day are spread, in milliseconds: 12 hours. */
const settlementSpreadMs = 12 * 3_600_000

/**
 * A paid contract is watched for its settlement until the end of the day of its last poll (PROP-17), in
 * America/Sao_Paulo. Returns that time, or null if the contract is not paid.
 */
export const watchedUntil = (application: Pick<Application, "proposal" | "quotes">): Timestamp | null => {
  const last = contractTerms(application)?.installments.at(-1)
  return application.proposal?.status !== "PAID" || last === undefined
    ? null
    : saoPauloMidnight(addDays(last.due_date, settlementDays + 1))
}

/**
 * A paid contract is polled ten days after the due date of each of its withdrawals, because CAIXA has then paid the
 * withdrawal to the lender and the contract can be settled. All withdrawals of a month are due on the same day, so the
 * polls are spread by the proposal's id over the 12 hours after midnight in America/Sao_Paulo.
 *
 * Returns the next such time after `at`, or null if the last one has passed.
 * @rule PROP-17
 */
export const nextSettlementPoll = (
  application: Pick<Application, "proposal" | "quotes">,
  at: Timestamp
): Timestamp | null => {
  const { proposal } = application
  if (proposal === null) return null
  const spread_ms = Math.floor(fractionOf(proposal.proposal_id) * settlementSpreadMs)
  return (contractTerms(application)?.installments ?? [])
    .map(({ due_date }) => timestampOf(millisOf(saoPauloMidnight(addDays(due_date, settlementDays))) + spread_ms))
    .find((time) => time > at) ?? null
}

/** The annual withdrawals that one proposal of the customer pledges. */
export interface Pledge {
  /** The due dates of the withdrawals. Never empty. */
  readonly due_dates: ReadonlyArray<CalendarDate>
  /** The customer's birth date in the application of the proposal. */
  readonly birth_date: CalendarDate
  /** True if the proposal is in the scope for which the pledges were read. */
  readonly is_in_scope: boolean
}

/**
 * Returns the due dates of the withdrawals that the proposal of an application pledges at a time. `status` is the
 * status of the proposal at that time. Default: the present one.
 */
export const pledgedDueDates = (
  application: Pick<Application, "proposal" | "quotes">,
  at: Timestamp,
  status: ProposalStatus | undefined = application.proposal?.status
): ReadonlyArray<CalendarDate> => {
  if (status === undefined || !isPledging({ status })) return []
  return (contractTerms(application)?.installments ?? [])
    .map(({ due_date }) => due_date)
    .filter((due_date) => !isPledgeOver(due_date, saoPauloDate(at)))
}

const yearOf = (date: CalendarDate): string => date.slice(0, 4)

const includesYear = ({ due_dates }: Pick<Pledge, "due_dates">, year: string): boolean =>
  due_dates.some((due_date) => yearOf(due_date) === year)

/**
 * A customer pledges each annual withdrawal at most once. An offer cannot be accepted if one of its instalments is due
 * in a year whose withdrawal another proposal of the customer pledges.
 *
 * Source: Resolução CCFGTS 958/2020, changed by Resolução CCFGTS 1.130/2025: one contract for each annual withdrawal.
 * @rule FGTS-47
 */
export const isPledgedAlready = ({ installments }: Terms, pledge: Pledge): boolean =>
  installments.some(({ due_date }) => includesYear(pledge, yearOf(due_date)))

/**
 * A customer has one advance at a time. While another proposal of the customer pledges the next annual withdrawal, no
 * offer can be accepted, whatever years it pledges. The next withdrawal is the first one whose day 1 of the birth month
 * lies after the day, in America/Sao_Paulo.
 *
 * Source: Resolução CCFGTS 958/2020, changed by Resolução CCFGTS 1.130/2025: a further contract requires that the
 * advance on the next withdrawal is settled.
 * @rule FGTS-61
 */
export const pledgesNextWithdrawal = (pledge: Pledge, at: Timestamp): boolean =>
  dueDates(saoPauloDate(at), pledge.birth_date, 1).some((next) => includesYear(pledge, yearOf(next)))

/**
 * Other contracts of the same person (CPF and birth date) block an acceptance while they pledge the next annual
 * withdrawal (FGTS-61). The block lasts for all consecutive withdrawals that the pledges in scope contain together.
 * Returns the day after the last of them, or null without a block.
 * @rule FGTS-62
 */
export const blockedUntil = (
  pledges: ReadonlyArray<Pledge>,
  birth_date: CalendarDate,
  at: Timestamp
): CalendarDate | null => {
  const due_dates = pledges
    .filter((pledge) => pledge.is_in_scope && pledge.birth_date === birth_date)
    .flatMap((pledge) => pledge.due_dates)
  let last: CalendarDate | null = null
  for (let next = firstOf(dueDates(saoPauloDate(at), birth_date, 1)); next !== undefined;) {
    const year: string = yearOf(next)
    const due: ReadonlyArray<CalendarDate> = due_dates.filter((date) => yearOf(date) === year)
    if (due.length === 0) break
    last = due.reduce((latest, date) => date > latest ? date : latest)
    next = firstOf(dueDates(next, birth_date, 1))
  }
  return last === null ? null : addDays(last, 1)
}

const firstOf = <A>([first]: ReadonlyArray<A>): A | undefined => first

/** Returns whether a quote has found that other contracts of the customer block an acceptance at a time (FGTS-62). */
export const isBlocked = ({ blocked_until }: Pick<Quote, "blocked_until">, at: Timestamp): boolean =>
  blocked_until !== undefined && saoPauloDate(at) < blocked_until
