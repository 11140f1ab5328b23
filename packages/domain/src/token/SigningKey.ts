import { Context, type Effect, Option } from "effect"
import { millisOf, type Timestamp } from "../time/Timestamp.ts"
import { accessTokenSeconds } from "./AccessClaims.ts"

/** A key pair that signs access tokens (ES256). `private_jwk` is a JWK as JSON text and never leaves the server. */
export interface SigningKey {
  readonly kid: string
  readonly private_jwk: string
  readonly created_at: Timestamp
  /** When it stopped signing; null for a key that may sign. */
  readonly retired_at: Timestamp | null
}

/** Seconds a new key is published before it signs, so that every verifier has fetched it by then. */
export const keyLeadSeconds = 300

/**
 * The newest live key that has been published for five minutes signs; while there is none, the oldest live one does.
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
 * A key verifies tokens, and stands in the published set, from its creation until the last token it can have signed
 * has expired.
 * @rule KEY-02
 */
export const publishedKeysAt = (keys: ReadonlyArray<SigningKey>, now: Timestamp): ReadonlyArray<SigningKey> =>
  keys.filter((key) =>
    key.retired_at === null || millisOf(now) < millisOf(key.retired_at) + (accessTokenSeconds + clockSkewSeconds) * 1000
  )

/** Seconds by which clocks may differ. */
export const clockSkewSeconds = 60

/** Where signing keys are kept. */
export class SigningKeyRepository extends Context.Service<SigningKeyRepository, {
  /** Every key that has not been purged. */
  readonly all: Effect.Effect<ReadonlyArray<SigningKey>>
  /** Adds a key, unless `onlyIfEmpty` is set and there is one already: two nodes that start at once agree on one key. */
  readonly insert: (key: SigningKey, options: { readonly onlyIfEmpty: boolean }) => Effect.Effect<void>
  /** Ends a key's signing. */
  readonly retire: (kid: string, at: Timestamp) => Effect.Effect<void>
}>()("@lastro/domain/token/SigningKey/SigningKeyRepository") {}
