import { type KycValues } from "@lastro/domain/kyc"
import { type Application } from "@lastro/domain/loan"
import { type Offer, type Quote } from "@lastro/domain/offer"
import { type OfferId, type Timestamp } from "@lastro/domain/values"
import { Equal } from "effect"

/*
 * A second, naive implementation of the loan rules. It uses the record types of the domain but none of its functions,
 * so that tests compare two independent implementations.
 */

const hourMs = 3_600_000

/**
 * Returns the date of an instant in São Paulo. There has been no daylight saving time since 2019, so the offset is
 * always UTC-3.
 */
const dayOf = (at: Timestamp): string => new Date(Date.parse(at) - 3 * hourMs).toISOString().slice(0, 10)

interface NaivePolicy {
  readonly from: string
  readonly max_installments: number
  readonly min_amount: number
  readonly max_amount: number
}

/** The policies, newest first. Amounts are in centavos. */
const policies: ReadonlyArray<NaivePolicy> = [
  { from: "2026-11-01", max_installments: 3, min_amount: 100_00, max_amount: 500_00 },
  { from: "2025-11-01", max_installments: 5, min_amount: 100_00, max_amount: 500_00 },
  { from: "0000-01-01", max_installments: 10, min_amount: 1, max_amount: Number.POSITIVE_INFINITY }
]

/** The first day on which only the next annual withdrawals can be pledged. */
const nextOnlyFrom = "2025-11-01"

/** The highest lawful monthly rate from `nextOnlyFrom` on, in percent. */
const highestRate = 1.8

/** The instants at which a policy ends, in UTC. Each is midnight in São Paulo. */
const policyEnds: ReadonlyArray<string> = ["2025-11-01T03:00:00.000Z", "2026-11-01T03:00:00.000Z"]

/** Returns the first year in which day 1 of the birth month is after a day. */
const firstYearAfter = (day: string, birth_date: string): number => {
  const year = Number(day.slice(0, 4))
  return `${year}-${birth_date.slice(5, 7)}-01` > day ? year : year + 1
}

/** Returns whether the policy in force at a time allows an offer to a customer. */
export const isLawfulAt = (
  at: Timestamp,
  { terms: { installments, monthly_rate } }: Offer,
  { birth_date }: Application["customer"]
): boolean => {
  const day = dayOf(at)
  const policy = policies.find(({ from }) => from <= day)
  const first = firstYearAfter(day, birth_date)
  if (policy === undefined || installments.length === 0 || installments.length > policy.max_installments) return false
  if (installments.some(({ amount }) => amount < policy.min_amount || amount > policy.max_amount)) return false
  if (day < nextOnlyFrom) return true
  return monthly_rate <= highestRate && installments.every(({ due_date }) => {
    const year = Number(due_date.slice(0, 4))
    return year >= first && year < first + policy.max_installments
  })
}

/**
 * Returns whether the instalments are due in the customer's birth month, after the day of `at`, in ascending years.
 */
export const areAnnualWithdrawals = (
  { installments }: Offer["terms"],
  { birth_date }: Application["customer"],
  at: Timestamp
): boolean =>
  installments.every(({ due_date }, index) => {
    const [year, month] = due_date.split("-")
    const before = installments[index - 1]?.due_date.split("-")[0] ?? "0000"
    return month === birth_date.split("-")[1] && year !== undefined && year > before && due_date > dayOf(at)
  })

/** Returns the latest time at which an offer of a quote can expire. */
export const latestExpiry = ({ completed_at, created_at }: Quote, { terms: { installments } }: Offer): string => {
  const nextDay = new Date(Date.parse(completed_at ?? created_at) + 24 * hourMs).toISOString()
  const firstDue = installments.map(({ due_date }) => `${due_date}T03:00:00.000Z`)
  const policyEnd = policyEnds.filter((policyEnd) => policyEnd > created_at)
  return [nextDay, ...firstDue, ...policyEnd].toSorted()[0] ?? nextDay
}

/** Returns the latest quote. */
export const lastQuote = ({ quotes }: Pick<Application, "quotes">): Quote => quotes.at(-1) ?? quotes[0]

/** Returns whether an application was cancelled before an offer was accepted. */
export const isCancelled = ({ cancellation }: Pick<Application, "cancellation">): boolean => cancellation !== null

/** Returns the expected outcome of a cancellation with a lender that can cancel. */
export const cancelOutcome = (application: Application): string => {
  const isEnded = application.proposal === null
    ? isCancelled(application)
    : ["PAID", "CANCELLED", "REJECTED", "REFUND_PENDING", "REFUNDED", "SETTLED"].includes(application.proposal.status)
  return isEnded ? "ApplicationNotCancellable" : "done"
}

/** Returns whether a time is at most on the seventh day after another one. */
const isInTime = (from: Timestamp, time: Timestamp): boolean =>
  dayOf(time) <= new Date(Date.parse(dayOf(from)) + 7 * 24 * hourMs).toISOString().slice(0, 10)

/**
 * Returns the expected outcome of a withdrawal at a lender that supports refunds. The customer can withdraw until the
 * seventh day after the payment, or after its report if a cancellation was requested in time.
 */
export const withdrawOutcome = ({ proposal }: Application, at: Timestamp): string => {
  if (proposal?.status !== "PAID") return "ProposalNotWithdrawable"
  const { status_history } = proposal
  const reported = status_history.find(({ status }) => status === "PAID")?.at
  const paid = proposal.paid?.at ?? reported
  if (paid === undefined || reported === undefined) return "ProposalNotWithdrawable"
  const isKept = status_history.some((change) => change.status === "CANCELLING" && isInTime(paid, change.at))
  return isInTime(paid, at) || isKept && isInTime(reported, at) ? "done" : "ProposalNotWithdrawable"
}

/** Returns the expected outcome of a request for a new signature link, at a lender that supports it. */
export const renewLinkOutcome = ({ proposal }: Application): string =>
  proposal?.status === "AWAITING_SIGNATURE" ? "done" : "SignatureNotPending"

const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Lists the paths in which two KYCs differ, for example `phone` or `address.zipcode`. */
const changedPaths = (before: KycValues, after: KycValues): ReadonlyArray<string> =>
  Object.keys({ ...before, ...after }).flatMap((name) => {
    const oldValue: unknown = Reflect.get(before, name) ?? null
    const newValue: unknown = Reflect.get(after, name) ?? null
    if (Equal.equals(oldValue, newValue)) return []
    if (!isGroup(oldValue) && !isGroup(newValue)) return [name]
    return Object.keys({ ...Object(oldValue), ...Object(newValue) })
      .filter((field) => !Equal.equals(Object(oldValue)[field] ?? null, Object(newValue)[field] ?? null))
      .map((field) => `${name}.${field}`)
  })

/**
 * Returns whether two KYCs differ only in fields that the lender refused. If the lender named no field, every field but
 * CPF, birth date and name can differ.
 */
export const isCorrection = (refused: ReadonlyArray<string>, before: KycValues, after: KycValues): boolean =>
  changedPaths(before, after).every((path) =>
    refused.length === 0
      ? !["cpf", "birth_date", "name"].includes(path)
      : refused.some((field) => path === field || path.startsWith(`${field}.`))
  )

/** Returns the expected outcome of a request for another quote. */
export const requoteOutcome = (application: Application, at: Timestamp): string => {
  const { outcome, rejection } = lastQuote(application)
  if (application.proposal !== null || isCancelled(application)) return "ApplicationNotQuotable"
  if (outcome === "PENDING") return "QuoteInProgress"
  if (outcome !== "REJECTED") return "done"
  const isRetryable = rejection?.retryable === true && (rejection.retry_at === null || rejection.retry_at <= at)
  return isRetryable ? "done" : "ApplicationNotQuotable"
}

const personalFields = [
  "name",
  "cpf",
  "birth_date",
  "gender",
  "civil_status",
  "mother_name",
  "nationality",
  "email",
  "phone",
  "is_pep"
] as const

const hasAll = (group: object | null, ...fields: ReadonlyArray<string>): boolean =>
  group !== null && fields.every((field) => (Reflect.get(group, field) ?? null) !== null)

const hasAccount = ({ bank, disbursement_method, pix }: KycValues): boolean =>
  disbursement_method === "PIX"
    ? hasAll(pix, "type", "key")
    : disbursement_method === "BANK_TRANSFER" &&
      hasAll(bank, "bank_code", "account_type", "agency", "account_number")

/** Returns whether a KYC has all required fields. */
export const isKycComplete = (kyc: KycValues | null): boolean =>
  kyc !== null && hasAll(kyc, ...personalFields) &&
  hasAll(kyc.document, "type", "number", "issuer", "uf", "issued_at") &&
  hasAll(kyc.address, "zipcode", "uf", "city", "neighborhood", "street", "number") &&
  hasAccount(kyc)

/** Returns the disbursement account of a complete KYC. */
export const accountOf = ({ bank, disbursement_method, pix }: KycValues) =>
  disbursement_method === "PIX" ? { method: "PIX", pix, bank: null } : { method: "BANK_TRANSFER", pix: null, bank }

/** Returns the fields of a KYC other than the disbursement account. */
export const personOf = ({ bank: _bank, disbursement_method: _method, pix: _pix, ...person }: KycValues) => person

/** Returns the expected outcome of accepting an offer, if the customer accepts the terms. */
export const acceptOutcome = (application: Application, offer_id: OfferId, at: Timestamp): string => {
  const { customer, kyc, proposal, quotes } = application
  const offers = quotes.flatMap(({ offers }) => offers)
  if (!offers.some((offer) => offer.offer_id === offer_id)) return "NotFound"
  if (proposal !== null) return proposal.offer_id === offer_id ? "done" : "OfferNotAvailable"
  if (isCancelled(application)) return "OfferNotAvailable"
  const offer = lastQuote(application).offers.find((offer) => offer.offer_id === offer_id)
  if (offer === undefined || offer.expires_at <= at || !isLawfulAt(at, offer, customer)) return "OfferNotAvailable"
  return isKycComplete(kyc) ? "done" : "KycIncomplete"
}
