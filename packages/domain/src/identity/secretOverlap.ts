import { Duration, Result } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type PasswordHash } from "./PasswordHasher.ts"
import { type Credentials, type Principal } from "./Principal.ts"

/** The overlap is not a duration from 0 to 30 days. */
export class OverlapMalformed
  extends Refusal("OverlapMalformed", "The overlap of two secrets is a duration from 0 to 30 days. Choose another one.")
{}

/** The default overlap of the secrets of an API client: 24 hours. */
export const defaultOverlap = Duration.hours(24)

const maxOverlap = Duration.days(30)

/**
 * After a rotation, the old secret of an API client stays valid for 24 hours by default, at most 30 days. 0 ends it at
 * once.
 * @rule CLIENT-06
 */
export const judgeOverlap = (input: Duration.Input): Result.Result<Duration.Duration, OverlapMalformed> => {
  const overlap = Duration.fromInput(input)
  return overlap._tag === "Some" && Duration.isLessThanOrEqualTo(overlap.value, maxOverlap) &&
      Duration.isGreaterThanOrEqualTo(overlap.value, Duration.zero)
    ? Result.succeed(overlap.value)
    : Result.fail(new OverlapMalformed())
}

const isAhead = (until: Timestamp | undefined, at: Timestamp | null): boolean =>
  until !== undefined && at !== null && at < until

/** The secret before the current one is still valid, and this rotation would end it. Nothing was changed. */
export class EarlierSecretValid extends Refusal(
  "EarlierSecretValid",
  "An earlier secret of this API client is still valid, and this rotation would end it. Rotate when it has ended, or end it explicitly.",
  ["valid_until"]
)<{
  /** The time at which the earlier secret becomes invalid by itself. */
  readonly valid_until: Timestamp
}> {}

/** A rotation of the secret of an API client. */
interface Rotation {
  readonly at: Timestamp
  readonly overlap_ms: number
  /** True to end an earlier secret that is still valid. */
  readonly ends_earlier: boolean
}

/**
 * Only two secrets of an API client are valid at a time. While the secret before the current one is valid, a rotation
 * with an overlap is refused, because it would end this secret. The operator can end it explicitly (`ends_earlier`). A
 * rotation with an overlap of 0 is never refused. Returns whether the rotation ends a valid earlier secret.
 * @rule CLIENT-07
 */
export const judgeRotation = (
  { previous_valid_until }: Pick<Principal, "previous_valid_until">,
  { at, ends_earlier, overlap_ms }: Rotation
): Result.Result<boolean, EarlierSecretValid> => {
  if (previous_valid_until === undefined || !isAhead(previous_valid_until, at)) return Result.succeed(false)
  const mayEnd = overlap_ms === 0 || ends_earlier
  return mayEnd ? Result.succeed(true) : Result.fail(new EarlierSecretValid({ valid_until: previous_valid_until }))
}

/**
 * A token is valid if it was issued with the current password or secret. After a rotation with an overlap, a token of
 * the previous client secret is valid until the overlap ends. If `at` is null, the token of a previous secret is
 * invalid.
 * @rule CLIENT-05
 */
export const isCredentialsVersionValid = (
  version: number,
  { credentials_version, previous_valid_until }: Pick<Principal, "credentials_version" | "previous_valid_until">,
  at: Timestamp | null
): boolean =>
  version === credentials_version || version === credentials_version - 1 && isAhead(previous_valid_until, at)

/** A secret with which an API client can sign in, and the `credentials_version` of the tokens that it gets. */
interface ValidSecret {
  readonly hash: PasswordHash
  readonly credentials_version: number
}

/**
 * Returns the secrets of an API client that are valid at a time: the current one, and the previous one during an
 * overlap (CLIENT-05).
 */
export const validSecrets = (
  { hash, previous_hash, principal }: Credentials,
  at: Timestamp
): readonly [ValidSecret, ...ReadonlyArray<ValidSecret>] => {
  const { credentials_version, previous_valid_until } = principal
  return [
    { hash, credentials_version },
    ...(previous_hash !== undefined && isAhead(previous_valid_until, at)
      ? [{ hash: previous_hash, credentials_version: credentials_version - 1 }]
      : [])
  ]
}
