import { CallbackRefused, type CallbackTarget, type LenderCallback } from "@lastro/domain/lender"
import { Clock, Effect, Option } from "effect"
import { type KeyObject } from "node:crypto"
import { parse } from "./json.ts"
import { keepEndReason, type Notice, noticeOf } from "./notices.ts"
import { type QitechInbox } from "./QitechInbox.ts"
import { encodeState } from "./quoteState.ts"
import { proposalOfRequesterKey, referenceOf } from "./reference.ts"
import { md5, type RequestClaims, verifyClaims } from "./signing.ts"

export interface CallbackParts {
  readonly publicKey: KeyObject
  readonly inbox: QitechInbox
  readonly maxAgeMs: number
  readonly path: string | undefined
}

/** Maximum time by which QI Tech's clock may be ahead of the local clock. */
const maxAheadMs = 5 * 60_000

/** The payment attempts that a callback about a debt can refer to. The callback names only the debt. */
const attempts = [1, 2, 3, 4, 5] as const

const refuse = (detail: string) => new CallbackRefused({ detail })

/** Returns why the token does not belong to the callback. Null if it does. */
const problemOf = (
  claims: RequestClaims,
  callback: LenderCallback,
  parts: CallbackParts,
  now: number
): string | null => {
  if (claims.method !== callback.method.toUpperCase()) return "the token is for another method"
  if (claims.uri !== (parts.path ?? callback.path)) return "the token is for another path"
  if (claims.payload_md5.toLowerCase() !== md5(callback.body)) return "the token is for another body"
  const age = now - Date.parse(claims.timestamp)
  if (Number.isNaN(age)) return "the time of the token is unreadable"
  if (age > parts.maxAgeMs) return "the token is too old"
  return age < -maxAheadMs ? "the time of the token is in the future" : null
}

const targetsOf = (notice: Notice, received_at: number): ReadonlyArray<CallbackTarget> => {
  if (notice.kind === "balance") {
    const { key, result } = notice
    const look = { kind: "quote", callback_key: key } as const
    return result === null
      ? [look]
      : [{ ...look, lender_state: encodeState({ kind: "received", key, received_at, result }) }]
  }
  const proposal_id = notice.requester_key === null ? null : proposalOfRequesterKey(notice.requester_key)
  return proposal_id === null
    ? attempts.map((attempt) => ({ kind: "contract", reference: referenceOf({ key: notice.key, attempt }) }))
    : [{ kind: "contract", proposal_id }]
}

/**
 * Verifies QI Tech's signature over the method, path, body and time of a callback. Returns the contract or quote of the
 * callback, or an empty list for an unknown type of callback. For a quote, `lender_state` contains the balance.
 */
export const receive = Effect.fnUntraced(function*(
  parts: CallbackParts,
  callback: LenderCallback
): Effect.fn.Return<ReadonlyArray<CallbackTarget>, CallbackRefused> {
  const token = callback.headers["authorization"]
  const claims = token === undefined ? Option.none() : verifyClaims(parts.publicKey, token.replace(/^Bearer /i, ""))
  if (Option.isNone(claims)) return yield* refuse("the token or its signature is invalid")
  const problem = problemOf(claims.value, callback, parts, yield* Clock.currentTimeMillis)
  if (problem !== null) return yield* refuse(problem)
  const body = parse(new TextDecoder().decode(callback.body))
  const notice = noticeOf(body)
  if (notice === null) return []
  if (notice.kind === "debt") yield* keepEndReason(parts.inbox, body, notice.key)
  return targetsOf(notice, Date.parse(claims.value.timestamp))
})
