import { Context, Data, type Effect } from "effect"
import { millisOf, type Timestamp } from "../time/Timestamp.ts"

/** A sign-in that failed because of its username or password. */
export interface FailedLogin {
  readonly username: string
  readonly ip: string
  readonly at: Timestamp
}

/** Too many failed sign-ins for this username from this address. */
export class TooManyAttempts extends Data.TaggedError("TooManyAttempts")<{
  readonly retry_after_seconds: number
}> {}

/** How a sign-in may proceed: after a delay, or not before some seconds have passed. */
export type LoginVerdict =
  | { readonly _tag: "Proceed"; readonly delay_ms: number }
  | { readonly _tag: "Locked"; readonly retry_after_seconds: number }

/** Milliseconds that failures count. */
export const loginWindowMs = 15 * 60_000

const pairLimit = 5
const freeFailures = 5
const delayStepMs = 250
const maxDelayMs = 5_000

/**
 * Five failures for one username from one address within 15 minutes lock that pair until the first of them is 15
 * minutes old; failures for one username over all addresses only delay it, by at most 5 seconds, so that nobody can
 * lock somebody else out.
 * @rule AUTH-09
 */
export const judgeAttempts = (failures: ReadonlyArray<FailedLogin>, ip: string, now: Timestamp): LoginVerdict => {
  const recent = failures.filter(({ at }) => millisOf(now) - millisOf(at) < loginWindowMs)
  const here = recent.filter((failure) => failure.ip === ip).map(({ at }) => millisOf(at)).toSorted((a, b) => b - a)
  const deciding = here[pairLimit - 1]
  return deciding === undefined
    ? { _tag: "Proceed", delay_ms: Math.min(maxDelayMs, Math.max(0, recent.length - freeFailures) * delayStepMs) }
    : {
      _tag: "Locked",
      retry_after_seconds: Math.max(1, Math.ceil((deciding + loginWindowMs - millisOf(now)) / 1000))
    }
}

/** Remembers failed sign-ins. Usernames are those presented, folded to their e-mail identity, whether they exist or not. */
export class LoginAttempts extends Context.Service<LoginAttempts, {
  /** The newest failures of this username at or after `since`, over all addresses: at most 50, every one of `ip`'s last five. */
  readonly failures: (username: string, ip: string, since: Timestamp) => Effect.Effect<ReadonlyArray<FailedLogin>>
  /** Remembers a failure; it stays remembered when a transaction around it is undone. */
  readonly record: (failure: FailedLogin) => Effect.Effect<void>
  /** Forgets the failures of this pair. */
  readonly clear: (username: string, ip: string) => Effect.Effect<void>
}>()("@lastro/domain/token/LoginAttempts") {}
