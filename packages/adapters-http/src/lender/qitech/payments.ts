import { type ContractPayment, type ContractRefund } from "@lastro/domain/loan"
import {
  addDays,
  type CalendarDate,
  type Centavos,
  centavosHalfUp,
  currentTimestamp,
  parseCalendarDate,
  saoPauloDate,
  saoPauloMidnight
} from "@lastro/domain/values"
import { Effect, Option, Result } from "effect"
import { at, listAt, numberAt, textAt } from "./json.ts"
import { orNone, type SendCall } from "./qitechCalls.ts"

/** Reads the day of a date or a timestamp. Null if there is none. */
export const dateAt = (body: unknown, name: string): CalendarDate | null =>
  Result.getOrElse(parseCalendarDate(textAt(body, name)?.slice(0, 10) ?? ""), () => null)

const sumOfFees = (list: ReadonlyArray<unknown>): number =>
  list.reduce<number>((sum, item) => sum + (numberAt(item, "fee_amount") ?? 0), 0)

/** Returns the principal minus IOF and fees, in reais. Null if the response lacks one of them. */
const principalMinusCosts = (body: unknown, hasFees: boolean): number | null => {
  const principal = numberAt(body, "issue_amount")
  const iof = numberAt(body, "total_iof")
  const lacksFees = hasFees && at(body, "contract_fees") === undefined
  if (principal === null || iof === null || lacksFees) return null
  return principal - iof - sumOfFees(listAt(body, "contract_fees")) - sumOfFees(listAt(body, "external_contract_fees"))
}

/** Returns the paid amount: the one in the response, or else the principal minus IOF and fees. Null if unknown. */
export const paidAmount = (body: unknown, hasFees: boolean): Centavos | null => {
  const reais = numberAt(body, "disbursed_issue_amount") ?? principalMinusCosts(body, hasFees)
  return reais === null || reais <= 0 || reais > 1e9 ? null : centavosHalfUp(reais)
}

/**
 * Returns the payment of a paid debt. QI Tech returns only the day, so the time is the start of that day in São Paulo.
 */
export const paymentOf = (body: unknown, hasFees: boolean): ContractPayment | null => {
  const amount = paidAmount(body, hasFees)
  const date = dateAt(body, "disbursement_date")
  return amount === null || date === null ? null : { amount, at: saoPauloMidnight(date), end_to_end_id: null }
}

/**
 * A requested refund, with the PIX code to pay the money back. `NOT_READY`: the code does not exist yet. `ENDED`: the
 * refund expired or was rejected.
 */
export type Refund = ContractRefund | "NOT_READY" | "ENDED"

/** The statuses of a refund that the customer has paid. The debt stays `opened` for some time after that. */
const paidRefunds: ReadonlySet<string> = new Set(["paid", "pending_fund"])

/** Reads a refund. It is `ENDED` if it was rejected, or if it expired before the customer paid. */
const refundOf = (body: unknown, today: CalendarDate): Refund => {
  const status = textAt(body, "status") ?? ""
  const date = dateAt(body, "expiration_date")
  const isExpired = date !== null && date < today && !paidRefunds.has(status)
  if (isExpired || /expired|cancel|refused|rejected|denied/.test(status)) return "ENDED"
  const amount = numberAt(body, "amount")
  const pix_copy_paste = textAt(body, "copy_paste_pix")
  return amount === null || amount <= 0 || amount > 1e9 || pix_copy_paste === null || date === null
    ? "NOT_READY"
    : { amount: centavosHalfUp(amount), pix_copy_paste, expires_at: saoPauloMidnight(addDays(date, 1)) }
}

/** Reads the refund of a debt. None if no refund was requested. */
export const readRefund = (send: SendCall, key: string) =>
  orNone(send({
    operation: "refundCode",
    method: "GET",
    path: `/credit_operation/${encodeURIComponent(key)}/pix_qrcode`
  }))

/** Returns the refund that was requested for a paid debt. Null if none was. */
export const findRefund = Effect.fnUntraced(function*(send: SendCall, key: string) {
  const answer = yield* readRefund(send, key)
  return Option.isNone(answer) ? null : refundOf(answer.value, saoPauloDate(yield* currentTimestamp))
})
