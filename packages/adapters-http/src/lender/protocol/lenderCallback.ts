import { CallbackRefused, type CallbackTarget, type LenderCallback } from "@lastro/domain/lender"
import { ProposalId, QuoteId } from "@lastro/domain/values"
import { Effect, Option, Redacted, Result, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { absentWhenNull } from "./lenderFields.ts"

/** Maximum difference between the timestamp of a callback and the clock, in milliseconds. */
const callbackToleranceMs = 5 * 60_000

const secretShape = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** Parses a callback secret. Returns none unless it is `whsec_` followed by 24 to 64 bytes in Base64. */
const parseCallbackSecret = (text: string): Option.Option<Uint8Array> => {
  const [, encoded] = secretShape.exec(text) ?? []
  if (encoded === undefined) return Option.none()
  const key = Buffer.from(encoded, "base64")
  return key.length >= 24 && key.length <= 64 ? Option.some(key) : Option.none()
}

const signature = (key: Uint8Array, id: string, seconds: string, body: Uint8Array): Buffer =>
  createHmac("sha256", key).update(`${id}.${seconds}.`).update(body).digest()

const equalsInConstantTime = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

/**
 * Checks that a callback of the lender protocol is authentic (Standard Webhooks 1.0). One of its `webhook-signature`
 * values must be the HMAC-SHA256 of its id, timestamp and body. Its timestamp may differ from the clock by at most 5
 * minutes.
 */
const judgeCallback = (
  key: Uint8Array,
  { body, headers }: Pick<LenderCallback, "body" | "headers">,
  at_ms: number
): Result.Result<void, string> => {
  const id = headers["webhook-id"] ?? ""
  const seconds = headers["webhook-timestamp"] ?? ""
  const signatures = headers["webhook-signature"] ?? ""
  if (id === "" || !/^\d{1,12}$/.test(seconds) || signatures === "") {
    return Result.fail("a header is missing or invalid")
  }
  const expected = signature(key, id, seconds, body)
  const matches = signatures.split(" ").map((entry) => {
    const [version, value = ""] = entry.split(",")
    return version === "v1" && equalsInConstantTime(Buffer.from(value, "base64"), expected)
  })
  if (!matches.includes(true)) return Result.fail("the signature is wrong")
  return Math.abs(Number(seconds) * 1_000 - at_ms) <= callbackToleranceMs
    ? Result.succeed(undefined)
    : Result.fail("the timestamp is too old or in the future")
}

const text = (maxLength: number, description: string) =>
  Schema.String.annotate({ description }).check(Schema.isMinLength(1), Schema.isMaxLength(maxLength))

/** The body of a callback. It contains one of these four keys. */
export const Callback = Schema.Struct({
  quote_id: absentWhenNull(text(36, "The quote that has changed")),
  callback_key: absentWhenNull(text(128, "The `callback_key` of the quote that has changed")),
  proposal_id: absentWhenNull(text(36, "The proposal whose contract has changed")),
  reference: absentWhenNull(text(128, "The reference of the contract that has changed"))
}).annotate({
  identifier: "Callback",
  description: "Version 2. Names the quote or the contract that has changed. Other fields are ignored"
})

const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Callback))
const isQuoteId = Schema.is(QuoteId)
const isProposalId = Schema.is(ProposalId)

/** Returns the quotes and contracts that the body of a callback names. Returns an empty list for an unknown body. */
const targetsOf = (body: Uint8Array): ReadonlyArray<CallbackTarget> =>
  Option.match(decodeBody(Buffer.from(body).toString("utf8")), {
    onNone: () => [],
    onSome: ({ callback_key, proposal_id, quote_id, reference }): ReadonlyArray<CallbackTarget> => [
      ...(isQuoteId(quote_id) ? [{ kind: "quote", quote_id } as const] : []),
      ...(callback_key === undefined ? [] : [{ kind: "quote", callback_key } as const]),
      ...(isProposalId(proposal_id) ? [{ kind: "contract", proposal_id } as const] : []),
      ...(reference === undefined ? [] : [{ kind: "contract", reference } as const])
    ]
  })

/**
 * Returns a function that authenticates callbacks with a secret. Without a secret, it rejects every callback. Throws a
 * RangeError if the secret is invalid.
 */
export const readLenderCallback = (secret: Redacted.Redacted | undefined) => {
  const key = secret === undefined ? Option.none() : parseCallbackSecret(Redacted.value(secret))
  if (secret !== undefined && Option.isNone(key)) {
    throw new RangeError("`callbackSecret` must be whsec_ and the Base64 form of 24 to 64 bytes")
  }
  return (callback: LenderCallback): Effect.Effect<ReadonlyArray<CallbackTarget>, CallbackRefused> =>
    Effect.clockWith((clock) => {
      if (Option.isNone(key)) return Effect.fail(new CallbackRefused({ detail: "no callback secret is configured" }))
      return Result.match(judgeCallback(key.value, callback, clock.currentTimeMillisUnsafe()), {
        onFailure: (detail) => Effect.fail(new CallbackRefused({ detail })),
        onSuccess: () => Effect.succeed(targetsOf(callback.body))
      })
    })
}
