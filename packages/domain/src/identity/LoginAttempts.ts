import { Context, type Effect } from "effect"
import { Refusal } from "../input/Refusal.ts"
import { millisOf, type Timestamp } from "../values/Timestamp.ts"
import { isBehindPeer } from "./addressKey.ts"

/** A failed sign-in: the username or the password was wrong. */
export interface FailedLogin {
  readonly username: string
  readonly ip: string
  readonly at: Timestamp
}

/** Too many failed sign-ins with this username from this address. */
export class TooManyAttempts
  extends Refusal("TooManyAttempts", "Too many failed sign-ins with this username from this address. Retry later.", [
    "retry_after_seconds"
  ])<{
    readonly retry_after_seconds: number
  }>
{}

/**
 * The decision on a sign-in: it continues after a delay, or is refused for some seconds. A failed sign-in keeps its
 * slot for `hold_ms` (AUTH-29).
 */
export type LoginVerdict =
  | { readonly _tag: "Proceed"; readonly delay_ms: number; readonly hold_ms: number }
  | { readonly _tag: "Locked"; readonly retry_after_seconds: number }

/** Time for which a failed sign-in counts, in milliseconds: 15 minutes. */
export const loginWindowMs = 15 * 60_000

const pairLimit = 5
const freeFailures = 5
const delayStepMs = 250
const maxDelayMs = 5_000

/**
 * Five failures with one username from one address within 15 minutes lock that username for that address, until the
 * first of the five is 15 minutes old.
 *
 * The failures with one username from all addresses together only delay sign-ins, by at most 5 seconds. So nobody can
 * lock out another user.
 *
 * The addresses of clients behind a peer that is not a trusted proxy are unknown. Their failures count in the total,
 * but they are neither locked nor delayed: AUTH-29 slows them.
 * @rule AUTH-09
 */
export const judgeAttempts = (failures: ReadonlyArray<FailedLogin>, ip: string, now: Timestamp): LoginVerdict => {
  const recent = failures.filter(({ at }) => millisOf(now) - millisOf(at) < loginWindowMs)
  const delay_ms = Math.min(maxDelayMs, Math.max(0, recent.length - freeFailures) * delayStepMs)
  if (isBehindPeer(ip)) return { _tag: "Proceed", delay_ms: 0, hold_ms: delay_ms }
  const here = recent.filter((failure) => failure.ip === ip).map(({ at }) => millisOf(at)).toSorted((a, b) => b - a)
  const fifthNewest = here[pairLimit - 1]
  if (fifthNewest === undefined) return { _tag: "Proceed", delay_ms, hold_ms: 0 }
  const locked_ms = fifthNewest + loginWindowMs - millisOf(now)
  return { _tag: "Locked", retry_after_seconds: Math.max(1, Math.ceil(locked_ms / 1000)) }
}

/** Stores failed sign-ins. Usernames are stored case-folded, even for unknown users. */
export class LoginAttempts extends Context.Service<LoginAttempts, {
  /**
   * Returns the newest failures with this username at or after `since`, from all addresses: at most 50 in total, which
   * always include the last five from `ip`.
   */
  readonly failures: (username: string, ip: string, since: Timestamp) => Effect.Effect<ReadonlyArray<FailedLogin>>
  /** Stores a failure, even if a surrounding transaction is rolled back. */
  readonly record: (failure: FailedLogin) => Effect.Effect<void>
  /** Deletes the failures with this username from this address. */
  readonly clear: (username: string, ip: string) => Effect.Effect<void>
}>()("@lastro/domain/identity/LoginAttempts") {}
