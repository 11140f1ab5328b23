import {
  type ContractPayment,
  type ContractRefund,
  type LenderContract,
  LenderUnavailable
} from "@lastro/domain/lender"
import { type Centavos, centavosHalfUp } from "@lastro/domain/money"
import {
  addDays,
  type CalendarDate,
  currentTimestamp,
  parseCalendarDate,
  saoPauloDate,
  saoPauloMidnight
} from "@lastro/domain/time"
import { Effect, Option, Result } from "effect"
import { disbursementDay } from "./businessDay.ts"
import { contractStatus, hourClosed } from "./contractStatus.ts"
import { at, listAt, numberAt, textAt } from "./json.ts"
import { endReasonOf, findEndReason } from "./notices.ts"
import { orNone, orUnavailable, type SendCall } from "./qitechCalls.ts"
import { type QitechInbox } from "./QitechInbox.ts"
import { type DebtReference, referenceOf } from "./reference.ts"
import { resendCallbacks } from "./resend.ts"

/** What calls about debts need. */
export interface DebtParts {
  readonly send: SendCall
  readonly inbox: QitechInbox
  /** Whether a table has a fee. */
  readonly hasFees: boolean
}

/** A debt as QI Tech returns it. */
export interface Debt {
  readonly key: string
  readonly status: string
  readonly contract_number: string | null
  readonly body: unknown
}

const readDebt = (body: unknown): Effect.Effect<Debt, LenderUnavailable> => {
  const key = textAt(body, "credit_operation_key") ?? textAt(body, "key")
  const status = textAt(body, "credit_operation_status_enumerator") ?? textAt(body, "status")
  return key === null || status === null || !/^[\w-]{1,64}$/.test(key)
    ? Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "debt: the answer has no key or no status" }))
    : Effect.succeed({ key, status, body, contract_number: textAt(body, "contract_number") })
}

/** Returns the debt of a requester identifier key. None if QI Tech has none. */
export const findDebt = (
  send: SendCall,
  requester_key: string
): Effect.Effect<Option.Option<Debt>, LenderUnavailable> =>
  orNone(send({
    operation: "debtOfRequester",
    method: "GET",
    path: `/v2/credit_operation/requester_identifier_key/${requester_key}`
  })).pipe(Effect.flatMap(Option.match({
    onNone: () => Effect.succeedNone,
    onSome: (body) => Effect.asSome(readDebt(body))
  })))

/** Returns the debt of a key. */
export const readDebtOf = (send: SendCall, key: string): Effect.Effect<Debt, LenderUnavailable> =>
  Effect.flatMap(
    orUnavailable(send({ operation: "debt", method: "GET", path: `/v2/credit_operation/${encodeURIComponent(key)}` })),
    (body) =>
      Effect.filterOrFail(
        readDebt(body),
        (debt) => debt.key === key,
        () => new LenderUnavailable({ reason: "ASKED", detail: "debt: the answer is about another debt" })
      )
  )

/** Reads a signature link. Only web addresses are links. */
export const signatureUrlOf = (data: unknown): string | null => {
  const signers = [...listAt(data, "contract", "signature_information"), ...listAt(data, "contract", "signers")]
  const urls = signers.map((one) => textAt(one, "signature_url"))
  return urls.find((url) => url !== null && /^https?:\/\//.test(url) && URL.canParse(url)) ?? null
}

/** Returns the signature link of a debt. Null if the answer has none, or if there is no answer: the link is read again at the next look. */
const findSignatureUrl = (send: SendCall, key: string): Effect.Effect<string | null> =>
  send({ operation: "signature", method: "GET", path: `/debt?key=${encodeURIComponent(key)}` }).pipe(
    Effect.map((body) => signatureUrlOf(at(body, "data")) ?? signatureUrlOf(listAt(body, "data")[0])),
    Effect.catch(() => Effect.succeed(null))
  )

const dateAt = (body: unknown, name: string): CalendarDate | null =>
  Result.getOrElse(parseCalendarDate(textAt(body, name)?.slice(0, 10) ?? ""), () => null)

const sumOfFees = (list: ReadonlyArray<unknown>): number =>
  list.reduce<number>((sum, one) => sum + (numberAt(one, "fee_amount") ?? 0), 0)

/**
 * Returns the amount that was paid: as stated, or the principal less IOF and fees. Null if there can be fees and the answer does not list them.
 */
const paidAmount = (body: unknown, hasFees: boolean): Centavos | null => {
  const stated = numberAt(body, "disbursed_issue_amount")
  const issued = numberAt(body, "issue_amount")
  const iof = numberAt(body, "total_iof")
  const isListed = at(body, "contract_fees") !== undefined || !hasFees
  const reais = stated ?? (issued === null || iof === null || !isListed
    ? null
    : issued - iof - sumOfFees(listAt(body, "contract_fees")) - sumOfFees(listAt(body, "external_contract_fees")))
  return reais === null || reais <= 0 || reais > 1e9 ? null : centavosHalfUp(reais)
}

/** Returns the payment of a paid debt. QI Tech states the day, so that its time is the beginning of that day in São Paulo. */
const paymentOf = (body: unknown, hasFees: boolean): ContractPayment | null => {
  const amount = paidAmount(body, hasFees)
  const date = dateAt(body, "disbursement_date")
  return amount === null || date === null ? null : { amount, at: saoPauloMidnight(date), end_to_end_id: null }
}

/** Reads how the customer pays the money back. Null if there is no code that can still be paid. */
const refundOf = (body: unknown, today: CalendarDate): ContractRefund | null => {
  const amount = numberAt(body, "amount")
  const pix_copy_paste = textAt(body, "copy_paste_pix")
  const date = dateAt(body, "expiration_date")
  return amount === null || amount <= 0 || pix_copy_paste === null || date === null || date < today ||
      textAt(body, "status") !== "waiting_payment"
    ? null
    : { amount: centavosHalfUp(amount), pix_copy_paste, expires_at: saoPauloMidnight(addDays(date, 1)) }
}

/** Returns the refund that was requested for a paid debt. Null if none was, or if it cannot be paid any more. */
export const findRefund = Effect.fnUntraced(function*(send: SendCall, key: string) {
  const answer = yield* orNone(send({
    operation: "refundCode",
    method: "GET",
    path: `/credit_operation/${encodeURIComponent(key)}/pix_qrcode`
  }))
  return Option.isNone(answer) ? null : refundOf(answer.value, saoPauloDate(yield* currentTimestamp))
})

/** Presents a payment again on the next business day. */
export const presentPayment = Effect.fnUntraced(function*(send: SendCall, key: string) {
  const disbursement_date = disbursementDay(saoPauloDate(yield* currentTimestamp))
  yield* orUnavailable(send({
    operation: "presentPayment",
    method: "PATCH",
    path: `/debt/${encodeURIComponent(key)}/disbursement_option`,
    json: { disbursement_date, status: "active" }
  }))
})

/** Reports an answer that moves nothing. Its callbacks are requested again, because they may explain it. */
const unclear = Effect.fnUntraced(function*({ send }: DebtParts, { key, status }: Debt) {
  const isCancelled = status === "canceled"
  yield* Effect.annotateLogs(
    Effect.logError(
      isCancelled
        ? "QI Tech gives no reason for a cancelled debt; the contract keeps its status, and the callback is requested again"
        : "QI Tech returns an unknown status; the contract keeps its status. Update the adapter."
    ),
    { reference: key, status: /^[a-z_]{1,40}$/.test(status) ? status : "unreadable" }
  )
  const now = yield* currentTimestamp
  if (isCancelled) yield* resendCallbacks(send, key, Date.parse(now) - 13 * 86_400_000)
  return yield* new LenderUnavailable({
    reason: "ASKED",
    detail: `debt: ${isCancelled ? "no reason" : "unknown status"}`
  })
})

/** Returns the state of a contract. `link` is its signature link, if it is known. */
export const contractOf = Effect.fnUntraced(function*(
  parts: DebtParts,
  debt: Debt,
  attempt: number,
  link: string | null = null
) {
  const { inbox, send } = parts
  const { body, key } = debt
  const known = endReasonOf(body) ?? endReasonOf(at(body, "data"))
  const reason = known ?? (debt.status.startsWith("canceled") ? yield* findEndReason(inbox, key) : null)
  const found = contractStatus(debt.status, reason)
  if (found === null) return yield* unclear(parts, debt)
  if (debt.status === "canceled" && reason === hourClosed) yield* presentPayment(send, key)
  const reference: DebtReference = { key, attempt }
  const contract: LenderContract = {
    reference: referenceOf(reference),
    status: found.status,
    signature_url: null,
    rejection: found.rejection,
    disbursement_attempt: attempt
  }
  if (found.status === "AWAITING_SIGNATURE") {
    return { ...contract, signature_url: link ?? (yield* findSignatureUrl(send, key)) }
  }
  if (found.status !== "PAID") return contract
  const refund = debt.status === "opened" ? yield* findRefund(send, key) : null
  const paid = paymentOf(body, parts.hasFees)
  return refund === null ? { ...contract, paid } : { ...contract, status: "REFUND_PENDING" as const, paid, refund }
})
