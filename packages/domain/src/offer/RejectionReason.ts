import { Schema } from "effect"
import { field } from "../input/field.ts"
import { addDays, calendarDate, saoPauloDate, saoPauloMidnight } from "../values/CalendarDate.ts"
import { type Timestamp, Timestamp as TimestampSchema } from "../values/Timestamp.ts"

/**
 * The kind of a rejection. CUSTOMER_ACTION: the customer can resolve it. TEMPORARY: it ends by itself. FINAL: it stays.
 * UPSTREAM: the lender was unreachable.
 */
export const RejectionKind = Schema.Literals(["CUSTOMER_ACTION", "TEMPORARY", "FINAL", "UPSTREAM"]).annotate({
  identifier: "RejectionKind",
  description: "Kind of rejection. `CUSTOMER_ACTION`: the customer can resolve it. `TEMPORARY`: it ends by itself. " +
    "`FINAL`: it cannot be resolved. `UPSTREAM`: the lender was not available."
})
export type RejectionKind = typeof RejectionKind.Type

interface Nature {
  readonly kind: RejectionKind
  readonly retryable: boolean
}

const customerAction: Nature = { kind: "CUSTOMER_ACTION", retryable: true }
const temporary: Nature = { kind: "TEMPORARY", retryable: true }
const final: Nature = { kind: "FINAL", retryable: false }

/** The kind and retryability of each rejection code. */
const natures = {
  NO_AUTHORIZATION: customerAction,
  NOT_OPTED_IN: customerAction,
  OPT_OUT_IN_PROGRESS: customerAction,
  BIRTH_DATE_MISMATCH: final,
  OPT_IN_WAITING_PERIOD: temporary,
  BIRTHDAY_WINDOW: temporary,
  OPERATION_IN_PROGRESS: temporary,
  ACCOUNT_CHANGES_PENDING: temporary,
  EXISTING_CONTRACT: final,
  NO_FGTS_ACCOUNT: final,
  NO_BALANCE: temporary,
  BELOW_MINIMUM_INSTALLMENT: final,
  BELOW_MINIMUM_AMOUNT: final,
  FEES_EXCEED_PRINCIPAL: final,
  LENDER_POLICY: final,
  LENDER_TEMPORARY: temporary,
  FRAUD_SUSPECTED: final,
  UPSTREAM_UNAVAILABLE: { kind: "UPSTREAM", retryable: true },
  KYC_REJECTED: final,
  SIGNATURE_EXPIRED: final,
  CUSTOMER_CANCELLED: final,
  CANCELLED_BY_PARTNER: final,
  CORRECTION_EXPIRED: final,
  CONTRACT_CONFLICT: final,
  OFFER_EXPIRED: final,
  DISBURSEMENT_FAILED: customerAction
} as const satisfies Readonly<Record<string, Nature>>

/** The code of a rejection. */
export type RejectionCode = keyof typeof natures

/** All rejection codes. */
export const rejectionCodes = Object.keys(natures) as ReadonlyArray<RejectionCode>

export const RejectionCodeSchema = Schema.Literals(rejectionCodes).annotate({
  identifier: "RejectionCode",
  description: "Stable rejection code, for use in program logic"
})

/** The reason why a quote was rejected, a contract ended or a payment failed. */
export const RejectionReason = Schema.Struct({
  kind: field(RejectionKind, "Kind of rejection", "FINAL"),
  code: field(RejectionCodeSchema, "Rejection code", "NO_BALANCE"),
  message: field(
    Schema.String,
    "Message for people: the lender's own text, or a text of Lastro in the language of `Accept-Language`",
    "Trabalhador não possui saldo na conta do FGTS."
  ),
  retryable: field(
    Schema.Boolean,
    "True if a new quote can succeed, either now or, if `retry_at` is set, from that time on",
    false
  ),
  retry_at: field(Schema.NullOr(TimestampSchema), "The earliest time at which a retry can succeed, if known", null)
}).annotate({
  identifier: "RejectionReason",
  description: "Reason why there is no offer, why a contract ended, or why a disbursement failed"
})
export type RejectionReason = typeof RejectionReason.Type

/**
 * The code determines the kind of a rejection and whether it is retryable. EXISTING_CONTRACT is FINAL, but with a
 * `retry_at` it is TEMPORARY and retryable. Only a TEMPORARY rejection has a `retry_at`.
 * @rule FGTS-01
 */
export const rejectionReason = (
  code: RejectionCode,
  message: string,
  retry_at: Timestamp | null = null
): RejectionReason => {
  const nature: Nature = code === "EXISTING_CONTRACT" && retry_at !== null ? temporary : natures[code]
  return { ...nature, code, message, retry_at: nature.kind === "TEMPORARY" ? retry_at : null }
}

/** The day of the month from which the deposits of a month are credited. Employers pay them until the 20th. */
const depositsCredited = "21"

/** Returns the first instant of the next 21st, in America/Sao_Paulo. */
const afterNextDeposits = (at: Timestamp): Timestamp => {
  const [year = "", month = "", day = ""] = saoPauloDate(at).split("-")
  if (day < depositsCredited) return saoPauloMidnight(calendarDate(`${year}-${month}-${depositsCredited}`))
  const next = month === "12" ? `${Number(year) + 1}-01` : `${year}-${String(Number(month) + 1).padStart(2, "0")}`
  return saoPauloMidnight(calendarDate(`${next}-${depositsCredited}`))
}

/**
 * A missing `retry_at` of NO_BALANCE is set to the start of the next 21st in America/Sao_Paulo, because employers
 * deposit until the 20th. A `retry_at` of BIRTHDAY_WINDOW that has passed is replaced by the next midnight in
 * America/Sao_Paulo. Any other rejection is unchanged.
 *
 * Source: Lei 8.036/1990, art. 15, as changed by Lei 14.438/2022 (deposits until the 20th).
 * @rule FGTS-59
 */
export const withRetryTime = (rejection: RejectionReason, at: Timestamp): RejectionReason => {
  const { code, message, retry_at } = rejection
  if (code === "NO_BALANCE" && retry_at === null) return rejectionReason(code, message, afterNextDeposits(at))
  return code === "BIRTHDAY_WINDOW" && retry_at !== null && retry_at <= at
    ? rejectionReason(code, message, saoPauloMidnight(addDays(saoPauloDate(at), 1)))
    : rejection
}

const isRejectionCode = (code: string): code is RejectionCode => Object.hasOwn(natures, code)

/**
 * A rejection with an unknown code becomes LENDER_TEMPORARY if it has a `retry_at`, and LENDER_POLICY otherwise. Its
 * message is kept.
 * @rule LENDER-04
 */
export const readRejection = (code: string, message: string, retry_at: Timestamp | null): RejectionReason => {
  const unknownCode = retry_at === null ? "LENDER_POLICY" : "LENDER_TEMPORARY"
  return rejectionReason(isRejectionCode(code) ? code : unknownCode, message, retry_at)
}

/**
 * After a rejection, a new quote can be requested if the rejection is retryable and its `retry_at` is null or has
 * passed.
 * @rule FGTS-02
 */
export const isRetryable = ({ retry_at, retryable }: RejectionReason, at: Timestamp): boolean =>
  retryable && (retry_at === null || retry_at <= at)

const orderOfKinds: Readonly<Record<RejectionKind, number>> = {
  CUSTOMER_ACTION: 0,
  TEMPORARY: 1,
  UPSTREAM: 2,
  FINAL: 3
}

/** Sorts before every timestamp. */
const atOnce = "" as Timestamp

/** Orders rejections: the most hopeful one first. */
const byHope = (a: RejectionReason, b: RejectionReason): number => {
  if (a.kind !== b.kind) return orderOfKinds[a.kind] - orderOfKinds[b.kind]
  const [first, second] = [a.retry_at ?? atOnce, b.retry_at ?? atOnce]
  if (first === second) return 0
  return first < second ? -1 : 1
}

/**
 * If no fee table has an offer, the quote gets the most hopeful rejection. The order is CUSTOMER_ACTION, TEMPORARY,
 * UPSTREAM, FINAL. Of several TEMPORARY rejections, the one that can be retried first counts. Otherwise the first in
 * the lender's order counts. Returns undefined without a rejection.
 * @rule FGTS-43
 */
export const mostHopeful = (rejections: ReadonlyArray<RejectionReason>): RejectionReason | undefined =>
  rejections.toSorted(byHope)[0]
