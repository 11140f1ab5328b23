import { Effect } from "effect"
import { amountRefunded } from "./contractStatus.ts"
import { at, listAt, parse, textAt } from "./json.ts"
import { type QitechInbox } from "./QitechInbox.ts"
import { type BalanceResult } from "./quoteState.ts"

/**
 * Reads the result of a balance request: only dates, amounts and the code of a rejection. Null if the body has no
 * result.
 */
const balanceOf = (body: unknown): BalanceResult | null => {
  switch (textAt(body, "status")) {
    case "success":
      return { status: "success", periods: listAt(body, "data", "periods") }
    case "failed":
      return { status: "failed", enumerator: textAt(body, "data", "enumerator") ?? "" }
    default:
      return null
  }
}

const endKey = (key: string): string => `end:${key}`

/** Returns the reason in the data of a cancelled debt. Null if there is none. */
export const endReasonOf = (data: unknown): string | null => {
  for (const reason of [textAt(data, "cancel_reason_enumerator"), textAt(data, "cancel_reason")]) {
    if (reason !== null && /^[a-z_]{1,64}$/.test(reason)) return reason
  }
  return ["pix_refusal", "ted_refusal"].find((name) => at(data, name) !== undefined && at(data, name) !== null) ?? null
}

/** Returns the reason in the newest callback about a cancellation. Null if there is none. */
export const findEndReason = (inbox: QitechInbox, key: string): Effect.Effect<string | null> =>
  Effect.map(inbox.find(endKey(key)), (text) => text === null ? null : textAt(parse(text), "reason"))

/** The types of callbacks with the result of a balance request. QI Tech's documentation uses both names. */
const balanceTypes: ReadonlySet<string | null> = new Set(["available_balance", "fgts_available_balance"])

/** The content of a callback: the result of a balance request, or a change of a debt. */
export type Notice =
  | { readonly kind: "balance"; readonly key: string; readonly result: BalanceResult | null }
  | { readonly kind: "debt"; readonly key: string; readonly requester_key: string | null }

/** Reads a callback. Returns null if its type is unknown. Ignores unknown fields, because QI Tech may add some. */
export const noticeOf = (received: unknown): Notice | null => {
  const body = at(received, "webhook") ?? received
  const type = textAt(body, "webhook_type")
  const key = textAt(body, "key") ?? textAt(body, "credit_operation_key")
  if (key === null || key.length > 64) return null
  if (balanceTypes.has(type)) return { kind: "balance", key, result: balanceOf(body) }
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

/**
 * Stores the reason of a cancellation from a verified callback, because no call of QI Tech returns it. Keeps the reason
 * of a newer callback.
 */
export const keepEndReason = Effect.fnUntraced(function*(inbox: QitechInbox, received: unknown, key: string) {
  const body = at(received, "webhook") ?? received
  const isRefunded = at(body, "reversal", "is_operation_canceled") === true
  const stated = textAt(body, "status") === "canceled" ? endReasonOf(at(body, "data")) : null
  const reason = isRefunded ? amountRefunded : stated
  if (reason === null) return
  const time = textAt(body, "event_datetime") ?? ""
  const text = yield* inbox.find(endKey(key))
  const known = text === null ? null : textAt(parse(text), "time")
  if (known === null || known <= time) yield* inbox.keep(endKey(key), JSON.stringify({ reason, time }))
})
