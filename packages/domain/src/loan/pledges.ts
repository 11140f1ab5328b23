import { nextDueYear } from "../offer/installments.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type Quote } from "../offer/Quote.ts"
import { addDays, type CalendarDate, saoPauloDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { addMillis, type Timestamp } from "../values/Timestamp.ts"
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

/** True for the statuses of a contract that was paid, even if it was refunded later. */
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

/** Returns whether a contract may be at a lender. False only if both codes are known and differ. */
export const mayBeAtLender = (
  application: Pick<Application, "proposal" | "quotes">,
  lender: string | null | undefined
): boolean => {
  const code = lenderOfContract(application)
  return code === null || lender === null || lender === undefined || code === lender
}

/** Returns whether a lender already had a paid contract with the customer of these applications (FGTS-58). */
export const hadPaidContract = (
  applications: ReadonlyArray<Pick<Application, "proposal" | "quotes">>,
  lender: string | null | undefined
): boolean =>
  applications.some((application) =>
    application.proposal !== null && wasPaid[application.proposal.status] && mayBeAtLender(application, lender)
  )

/** Number of calendar days for which an annual withdrawal stays pledged after its due date. */
const pledgeDays = 40

/**
 * The pledge of an annual withdrawal ends 40 days after its due date, in America/Sao_Paulo. By then, CAIXA has paid the
 * withdrawal to the lender.
 * @rule FGTS-60
 */
export const isPledgeOver = (due_date: CalendarDate, on: CalendarDate): boolean => addDays(due_date, pledgeDays) <= on

/** A paid contract is polled this number of calendar days after the due date of a withdrawal. */
const settlementDays = 10

/** The polls of one day are spread over this time, in milliseconds: 12 hours. */
const settlementSpreadMs = 12 * 3_600_000

/**
 * Returns the time until which a paid contract is polled for its settlement: the end of the day of its last poll
 * (PROP-17), in America/Sao_Paulo. Null if the contract is not paid.
 */
export const watchedUntil = (application: Pick<Application, "proposal" | "quotes">): Timestamp | null => {
  const last = contractTerms(application)?.installments.at(-1)
  return application.proposal?.status !== "PAID" || last === undefined
    ? null
    : saoPauloMidnight(addDays(last.due_date, settlementDays + 1))
}

/**
 * A paid contract is polled ten days after the due date of each of its annual withdrawals. By then, CAIXA has paid the
 * withdrawal to the lender, and the contract can be settled. All withdrawals of a month have the same due date.
 * Therefore the polls are spread over the 12 hours after midnight in America/Sao_Paulo, by the proposal's id.
 *
 * Returns the next of these times after `at`, or null if the last one has passed.
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
    .map(({ due_date }) => addMillis(saoPauloMidnight(addDays(due_date, settlementDays)), spread_ms))
    .find((time) => time > at) ?? null
}

/** The annual withdrawals that one proposal of the customer pledges. */
export interface Pledge {
  /** The due dates of the annual withdrawals. Never empty. */
  readonly due_dates: ReadonlyArray<CalendarDate>
  /** The customer's birth date in the application of the proposal. */
  readonly birth_date: CalendarDate
  /** True if the proposal is in the scope of the caller. */
  readonly is_in_scope: boolean
}

/**
 * Returns the due dates of the annual withdrawals that an application pledges at a time. `status` is the status of its
 * proposal at that time. Default: the current one.
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

const yearOf = (date: CalendarDate): number => Number(date.slice(0, 4))

const includesYear = ({ due_dates }: Pick<Pledge, "due_dates">, year: number): boolean =>
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
 * offer can be accepted, even for other years. The next annual withdrawal is due on the next day 1 of the birth month,
 * in America/Sao_Paulo.
 *
 * Source: Resolução CCFGTS 958/2020, changed by Resolução CCFGTS 1.130/2025: a further contract requires that the
 * advance on the next withdrawal is settled.
 * @rule FGTS-61
 */
export const pledgesNextWithdrawal = (pledge: Pledge, at: Timestamp): boolean =>
  includesYear(pledge, nextDueYear(saoPauloDate(at), pledge.birth_date))

/**
 * Other contracts of the same person (CPF and birth date) block an acceptance while they pledge the next annual
 * withdrawal (FGTS-61). The block covers all consecutive years, from the next withdrawal on, that the pledges in scope
 * cover. Returns the day after the last withdrawal of these years, or null without a block.
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
  for (let year = nextDueYear(saoPauloDate(at), birth_date);; year++) {
    const pledged = due_dates.filter((date) => yearOf(date) === year).toSorted().at(-1)
    if (pledged === undefined) return last === null ? null : addDays(last, 1)
    last = pledged
  }
}

/** Returns whether other contracts of the customer block an acceptance at a time, as the quote has found (FGTS-62). */
export const isBlocked = ({ blocked_until }: Pick<Quote, "blocked_until">, at: Timestamp): boolean =>
  blocked_until !== undefined && saoPauloDate(at) < blocked_until
