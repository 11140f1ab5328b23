import { Effect } from "effect"
import { at, listAt, numberAt, parse, textAt } from "./json.ts"
import { type QitechInbox } from "./QitechInbox.ts"

/** The result of a balance request. */
export type BalanceResult =
  | { readonly status: "success"; readonly periods: ReadonlyArray<unknown> }
  | { readonly status: "failed"; readonly enumerator: string }

const balanceKey = (key: string): string => `balance:${key}`
const endKey = (key: string): string => `end:${key}`

/** Returns the result of a balance request; null if no callback has brought it. */
export const findBalance = (inbox: QitechInbox, key: string): Effect.Effect<BalanceResult | null> =>
  Effect.map(inbox.find(balanceKey(key)), (text) => {
    const kept = text === null ? undefined : parse(text)
    const status = textAt(kept, "status")
    if (status === "success") return { status, periods: listAt(kept, "periods") }
    return status === "failed" ? { status, enumerator: textAt(kept, "enumerator") ?? "" } : null
  })

/** Keeps the result of a balance request. Only dates, amounts and the enumerator are kept. */
const keepBalance = (inbox: QitechInbox, key: string, body: unknown): Effect.Effect<void> => {
  const status = textAt(body, "status")
  const kept = status === "success"
    ? {
      status,
      periods: listAt(body, "data", "periods").map((one) => ({
        due_date: textAt(one, "due_date"),
        amount: numberAt(one, "amount")
      }))
    }
    : status === "failed"
    ? { status, enumerator: textAt(body, "data", "enumerator") ?? "" }
    : null
  return kept === null ? Effect.void : inbox.keep(balanceKey(key), JSON.stringify(kept))
}

/** Returns the reason in the data of a cancelled debt; null if there is none. */
export const endReasonOf = (data: unknown): string | null => {
  for (const reason of [textAt(data, "cancel_reason_enumerator"), textAt(data, "cancel_reason")]) {
    if (reason !== null && /^[a-z_]{1,64}$/.test(reason)) return reason
  }
  return ["pix_refusal", "ted_refusal"].find((name) => at(data, name) !== undefined && at(data, name) !== null) ?? null
}

/** Returns the reason of the newest callback that told of a cancellation; null if there is none. */
export const findEndReason = (inbox: QitechInbox, key: string): Effect.Effect<string | null> =>
  Effect.map(inbox.find(endKey(key)), (text) => text === null ? null : textAt(parse(text), "reason"))

/** Keeps the reason of a cancellation, unless a newer callback has brought another one. */
const keepEnd = Effect.fnUntraced(function*(inbox: QitechInbox, key: string, reason: string, time: string) {
  const text = yield* inbox.find(endKey(key))
  const known = text === null ? null : textAt(parse(text), "time")
  if (known === null || known <= time) yield* inbox.keep(endKey(key), JSON.stringify({ reason, time }))
})

/** The types of callbacks with the result of a balance request. QI Tech's pages use both names. */
const balanceTypes: ReadonlySet<string | null> = new Set(["available_balance", "fgts_available_balance"])

/** What a callback is about. */
export type Notice =
  | { readonly kind: "balance"; readonly key: string }
  | { readonly kind: "debt"; readonly key: string; readonly requester_key: string | null }

/** Reads a callback. Returns null if its type is not known. Fields may be added at any time. */
export const noticeOf = (received: unknown): Notice | null => {
  const body = at(received, "webhook") ?? received
  const type = textAt(body, "webhook_type")
  const key = textAt(body, "key") ?? textAt(body, "credit_operation_key")
  if (key === null || key.length > 64) return null
  if (balanceTypes.has(type)) return { kind: "balance", key }
  const isDebt = type === "debt" || type === "credit_operation.collateral" || type === "reversal" ||
    at(body, "reversal") !== undefined
  return isDebt
    ? {
      kind: "debt",
      key,
      requester_key: textAt(body, "data", "requester_identifier_key") ?? textAt(body, "requester_identifier_key")
    }
    : null
}

/** Keeps the parts of a verified callback that no call of QI Tech returns. */
export const keepNotice = (inbox: QitechInbox, received: unknown, notice: Notice): Effect.Effect<void> => {
  const body = at(received, "webhook") ?? received
  if (notice.kind === "balance") return keepBalance(inbox, notice.key, body)
  const reason = at(body, "reversal", "is_operation_canceled") === true
    ? "disbursed_amount_refunded"
    : textAt(body, "status") === "canceled"
    ? endReasonOf(at(body, "data"))
    : null
  const time = textAt(body, "event_datetime") ?? ""
  return reason === null ? Effect.void : keepEnd(inbox, notice.key, reason, time)
}
