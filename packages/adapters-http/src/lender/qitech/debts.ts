import { type LenderUnavailable } from "@lastro/domain/lender"
import { type LenderContract, signatureLink } from "@lastro/domain/loan"
import { businessDayFrom, currentTimestamp, saoPauloDate } from "@lastro/domain/values"
import { Effect, Option } from "effect"
import { amountRefunded, contractStatus } from "./contractStatus.ts"
import { at, listAt, textAt } from "./json.ts"
import { endReasonOf, findEndReason } from "./notices.ts"
import { findRefund, paymentOf, readRefund } from "./payments.ts"
import { orNone, orUnavailable, type SendCall, unavailable } from "./qitechCalls.ts"
import { findMark, type QitechInbox } from "./QitechInbox.ts"
import { referenceOf } from "./reference.ts"
import { resendCallbacks } from "./resend.ts"

export interface DebtParts {
  readonly send: SendCall
  readonly inbox: QitechInbox
  /** False if QI Tech has not enabled refunds. Then no refund is read. */
  readonly refunds: boolean
  /** True if at least one table has a fee. */
  readonly hasFees: boolean
}

/** QI Tech's record of a loan. */
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
    ? Effect.fail(unavailable("debt: the answer has no key or no status"))
    : Effect.succeed({ key, status, body, contract_number: textAt(body, "contract_number") })
}

/** Returns the debt with a requester identifier key. None if QI Tech has no such debt. */
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

export const readDebtOf = (send: SendCall, key: string): Effect.Effect<Debt, LenderUnavailable> =>
  Effect.flatMap(
    orUnavailable(send({ operation: "debt", method: "GET", path: `/v2/credit_operation/${encodeURIComponent(key)}` })),
    (body) =>
      Effect.filterOrFail(
        readDebt(body),
        (debt) => debt.key === key,
        () => unavailable("debt: the answer is about another debt")
      )
  )

/** Returns the signature link in the data of a debt, preferably an `https` one. Null if there is none. */
export const signatureUrlOf = (data: unknown): string | null => {
  const signers = [...listAt(data, "contract", "signature_information"), ...listAt(data, "contract", "signers")]
  const urls = signers.map((signer) => textAt(signer, "signature_url"))
  return urls.find((url) => signatureLink(url) !== null) ?? urls.find((url) => url !== null) ?? null
}

/** Returns the data with which a debt was issued. Null if QI Tech does not return it. */
export const findIssued = (send: SendCall, key: string): Effect.Effect<unknown, LenderUnavailable> =>
  send({ operation: "issued", method: "GET", path: `/debt?key=${encodeURIComponent(key)}` }).pipe(
    Effect.map((body) => listAt(body, "data")[0] ?? at(body, "data") ?? null),
    Effect.catchTag("QitechRefused", () => Effect.succeed(null))
  )

/**
 * Returns the signature link of a debt. Null if the response has none, or if there is no response. The next poll tries
 * again.
 */
const findSignatureUrl = (send: SendCall, key: string): Effect.Effect<string | null> =>
  findIssued(send, key).pipe(
    Effect.map(signatureUrlOf),
    Effect.catch(() => Effect.succeed(null))
  )

/**
 * Returns the reason of a cancelled debt: from the debt itself, or else from a callback. Without both, a refund of the
 * debt is the reason, because QI Tech cancels a paid debt when the customer has paid the money back. Null if the reason
 * is unknown.
 */
const findReason = Effect.fnUntraced(function*({ inbox, refunds, send }: DebtParts, { body, key, status }: Debt) {
  const stated = endReasonOf(body) ?? endReasonOf(at(body, "data"))
  if (stated !== null || !status.startsWith("canceled")) return stated
  const notified = yield* findEndReason(inbox, key)
  if (notified !== null || status !== "canceled" || !refunds) return notified
  return Option.isSome(yield* readRefund(send, key)) ? amountRefunded : null
})

/** Sends a payment again, for the next business day. */
export const presentPayment = Effect.fnUntraced(function*(send: SendCall, key: string) {
  const disbursement_date = businessDayFrom(saoPauloDate(yield* currentTimestamp))
  yield* orUnavailable(send({
    operation: "presentPayment",
    method: "PATCH",
    path: `/debt/${encodeURIComponent(key)}/disbursement_option`,
    json: { disbursement_date, status: "active" }
  }))
})

/**
 * Logs a response that does not show the status of the contract, and fails. For a cancelled debt, requests the
 * callbacks of the last 13 days again, because they may contain the reason.
 */
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
  return yield* unavailable(`debt: ${isCancelled ? "no reason" : "unknown status"}`)
})

/**
 * Returns the refund that was requested for a paid debt. Null if none was. If the call fails, also returns null,
 * because a failed call must not hide a payment. Fails only if Lastro requested a refund.
 */
const readRefundOfPaid = Effect.fnUntraced(function*({ inbox, refunds, send }: DebtParts, { key, status }: Debt) {
  if (!refunds || status !== "opened") return null
  return yield* Effect.catch(findRefund(send, key), (failure) =>
    Effect.gen(function*() {
      if ((yield* findMark(inbox, "refund", key)) !== null) return yield* failure
      yield* Effect.annotateLogs(
        Effect.logWarning("QI Tech does not say whether a refund of a paid debt was requested; the contract is paid"),
        { reference: key, detail: failure.detail }
      )
      return null
    }))
})

/** Returns the state of a contract. Changes nothing at QI Tech. `link` is the signature link if it is already known. */
export const contractOf = Effect.fnUntraced(function*(
  parts: DebtParts,
  debt: Debt,
  attempt: number,
  link: string | null = null
) {
  const { send } = parts
  const { body, key } = debt
  const reason = yield* findReason(parts, debt)
  const judged = contractStatus(debt.status, reason)
  if (judged === null) return yield* unclear(parts, debt)
  const { rejection, status } = judged
  const contract: LenderContract = {
    reference: referenceOf({ key, attempt }),
    status,
    signature_url: null,
    rejection,
    disbursement_attempt: attempt
  }
  if (status === "AWAITING_SIGNATURE") {
    return { ...contract, signature_url: link ?? (yield* findSignatureUrl(send, key)) }
  }
  const paid = paymentOf(body, parts.hasFees)
  if (status === "SETTLED") return { ...contract, paid }
  if (status !== "PAID") return contract
  const refund = yield* readRefundOfPaid(parts, debt)
  if (refund === "NOT_READY") return yield* unavailable("refund: there is no code to pay yet")
  return refund === null || refund === "ENDED"
    ? { ...contract, paid }
    : { ...contract, status: "REFUND_PENDING" as const, paid, refund }
})
