import { type Application } from "../loan/Application.ts"
import { type ApplicationStatus, applicationStatus } from "../loan/ApplicationStatus.ts"
import { acceptedTerms, isContracted } from "../origination/PublicProposalListItem.ts"
import { type CalendarDate, calendarDate, isDay, saoPauloDate } from "../values/CalendarDate.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The default time for which a paid contract is kept after its end, in years. */
export const defaultRetentionYears = 5

/** Returns the same day a number of years later. 29 February becomes 28 February in a common year. */
const addYears = (date: CalendarDate, years: number): CalendarDate => {
  const year = Number(date.slice(0, 4)) + years
  const sameDay = `${year}${date.slice(4)}`
  return calendarDate(isDay(sameDay) ? sameDay : `${year}-02-28`)
}

/**
 * Returns the day on which a contract ends: the due date of its last instalment, or the day of its refund or
 * settlement.
 */
const endOfContract = (application: Application): CalendarDate | null => {
  if (!isContracted(application)) return null
  const { status_history } = application.proposal
  if (!status_history.some(({ status }) => status === "PAID")) return null
  const last = status_history.at(-1)
  if (last?.status === "REFUNDED" || last?.status === "SETTLED") return saoPauloDate(last.at)
  const dueDates = acceptedTerms(application).installments.map(({ due_date }) => due_date)
  return dueDates.reduce((latest, date) => date > latest ? date : latest)
}

/**
 * A paid contract is kept for `retentionYears` after the due date of its last instalment, or after its refund or
 * settlement. No other application must be kept.
 *
 * Returns the last day on which the application must be kept, or null.
 *
 * Source: LGPD (Lei 13.709/2018), art. 16, I. The duty to keep: Lei 9.613/1998, art. 10, § 2º (five years after the
 * transaction ends). The period in which a debt can be claimed: Código Civil (Lei 10.406/2002), art. 206, § 5º, I (five
 * years after the due date).
 * @rule PRIV-01
 */
export const keptUntil = (application: Application, retentionYears: number): CalendarDate | null => {
  const end = endOfContract(application)
  return end === null ? null : addYears(end, retentionYears)
}

/** The decision about the erasure of an application: erase it, keep it, or wait. */
export type ErasureVerdict =
  | { readonly _tag: "ERASE"; readonly isCancelledFirst: boolean }
  | { readonly _tag: "KEEP"; readonly until: CalendarDate }
  | { readonly _tag: "WAIT"; readonly status: ApplicationStatus }

/**
 * An application whose contract or refund is in progress is not erased before the contract has ended. A paid contract
 * is kept as long as PRIV-01 requires. Every other application is erased. It is cancelled first if it is not final.
 *
 * Source: LGPD, art. 15, I, art. 16, I and art. 18, IV and VI.
 * @rule PRIV-02
 */
export const judgeErasure = (application: Application, at: Timestamp, retentionYears: number): ErasureVerdict => {
  const status = applicationStatus(application, at)
  if (status === "CONTRACTING" || status === "REFUNDING") return { _tag: "WAIT", status }
  const until = keptUntil(application, retentionYears)
  if (until !== null && saoPauloDate(at) <= until) return { _tag: "KEEP", until }
  return { _tag: "ERASE", isCancelledFirst: application.proposal === null && status !== "CANCELLED" }
}

/**
 * An application that was never paid is erased, with all its quotes, when `retentionMs` milliseconds have passed since
 * its last change. An application with a paid contract is not erased, nor one whose contract or refund is in progress.
 *
 * Source: LGPD, art. 15, I and art. 16.
 * @rule PRIV-15
 */
export const isUnsoldDue = (application: Application, at: Timestamp, retentionMs: number): boolean =>
  (application.erased_at ?? null) === null &&
  keptUntil(application, 0) === null &&
  judgeErasure(application, at, 0)._tag === "ERASE" &&
  Date.parse(application.updated_at) + retentionMs <= Date.parse(at)

/** The default time after which a deleted user or partner is anonymised: 90 days, in milliseconds. */
export const defaultDeletedRetentionMs = 90 * 86_400_000

/**
 * The personal data of a deleted user or partner is anonymised when `retentionMs` milliseconds have passed since the
 * deletion. Until then, the operator can answer questions about the deletion.
 *
 * Source: LGPD, art. 15, I and art. 16.
 * @rule PRIV-06
 */
export const isDeletionDue = (deleted_at: Timestamp, at: Timestamp, retentionMs: number): boolean =>
  Date.parse(deleted_at) + retentionMs <= Date.parse(at)
