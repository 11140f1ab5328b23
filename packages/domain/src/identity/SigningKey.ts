import { Context, type Effect, Option } from "effect"
import { millisOf, type Timestamp } from "../values/Timestamp.ts"
import { accessTokenSeconds } from "./AccessClaims.ts"

/** A key pair that signs access tokens (ES256). `private_jwk` is a JWK as JSON text and never leaves the server. */
export interface SigningKey {
  readonly kid: string
  readonly private_jwk: string
  readonly created_at: Timestamp
  /** The time at which the key stopped signing. Null for a live key. */
  readonly retired_at: Timestamp | null
}

/**
 * Time between the publication of a new key and its first signature, in seconds. In this time, verifiers fetch the key.
 */
export const keyLeadSeconds = 300

/**
 * Tokens are signed with the newest live key that has been published for at least five minutes. Without such a key, the
 * oldest live key is used.
 * @rule KEY-01
 */
export const signingKeyAt = (keys: ReadonlyArray<SigningKey>, now: Timestamp): Option.Option<SigningKey> => {
  const live = keys.filter((key) => key.retired_at === null).toSorted((a, b) =>
    millisOf(b.created_at) - millisOf(a.created_at)
  )
  return Option.fromUndefinedOr(
    live.find((key) => millisOf(key.created_at) + keyLeadSeconds * 1000 <= millisOf(now)) ?? live.at(-1)
  )
}

/**
 * A key is published, and used to verify tokens, from its creation until every token that it signed has expired.
 * @rule KEY-02
 */
export const publishedKeysAt = (keys: ReadonlyArray<SigningKey>, now: Timestamp): ReadonlyArray<SigningKey> =>
  keys.filter((key) =>
    key.retired_at === null || millisOf(now) < millisOf(key.retired_at) + (accessTokenSeconds + clockSkewSeconds) * 1000
  )

/** Tolerated difference between clocks, in seconds. */
export const clockSkewSeconds = 60

/** Stores signing keys. */
export class SigningKeyRepository extends Context.Service<SigningKeyRepository, {
  /** Returns every stored key, retired keys included. */
  readonly all: Effect.Effect<ReadonlyArray<SigningKey>>
  /**
   * Locks the stored keys until the transaction ends, so that the transactions that change them run one after another.
   */
  readonly lock: Effect.Effect<void>
  /**
   * Adds a key. With `onlyIfEmpty`, adds it only if no key is stored, so that two nodes that start at the same time use
   * the same key.
   */
  readonly insert: (key: SigningKey, options: { readonly onlyIfEmpty: boolean }) => Effect.Effect<void>
  /** Stops a key from signing. */
  readonly retire: (kid: string, at: Timestamp) => Effect.Effect<void>
  /** Deletes a key. */
  readonly remove: (kid: string) => Effect.Effect<void>
}>()("@lastro/domain/identity/SigningKey/SigningKeyRepository") {}
