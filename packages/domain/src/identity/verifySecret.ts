import { Context, Effect, Exit, Option, type Redacted, Scope } from "effect"
import { emailKey } from "../values/Email.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { isBehindPeer } from "./addressKey.ts"
import { AttemptSlots } from "./AttemptSlots.ts"
import { judgeAttempts, LoginAttempts, loginWindowMs, TooManyAttempts } from "./LoginAttempts.ts"
import { type PasswordHash, PasswordHasher } from "./PasswordHasher.ts"

/** The client address of the current request. Empty outside a request. */
export const ClientAddress = Context.Reference<string>("@lastro/domain/identity/verifySecret/ClientAddress", {
  defaultValue: () => ""
})

/** Returns the key under which failed sign-ins of a user are counted: the e-mail address in the form of DOC-08. */
export const userAttempts = (email: string): string => `user:${emailKey(email)}`

/** Returns the key under which failed sign-ins of an API client are counted. */
export const clientAttempts = (client_id: string): string => `client:${client_id}`

/**
 * Returns whether one of the forms of a password or client secret matches the hash. Fails with TooManyAttempts while
 * this username is locked for this address. Takes the same time for unknown and for known usernames.
 */
export const verifySecret = Effect.fnUntraced(function*(
  username: string,
  forms: ReadonlyArray<Redacted.Redacted>,
  hash: Option.Option<PasswordHash>
) {
  return Option.isSome(yield* findVerified(username, forms, [hash]))
})

/**
 * Like {@link verifySecret}, for several hashes. Returns the index of the first matching hash. A wrong secret takes one
 * slow computation for each form and hash.
 */
export const findVerified = Effect.fnUntraced(function*(
  username: string,
  forms: ReadonlyArray<Redacted.Redacted>,
  hashes: ReadonlyArray<Option.Option<PasswordHash>>
) {
  const ip = yield* ClientAddress
  const verifying = verifyOnce(username, ip, forms, hashes)
  const { found } = yield* isBehindPeer(ip) ? runInSlot(`${username} ${ip}`, verifying) : verifying
  return Option.fromUndefinedOr(found)
})

/** The result of a verification. `found` is the index of the matching hash. */
interface Verification {
  readonly found: number | undefined
  readonly hold_ms: number
}

const verifyOnce = Effect.fnUntraced(function*(
  username: string,
  ip: string,
  forms: ReadonlyArray<Redacted.Redacted>,
  hashes: ReadonlyArray<Option.Option<PasswordHash>>
) {
  const attempts = yield* LoginAttempts
  const { delay_ms } = yield* admit(username, ip)
  if (delay_ms > 0) yield* Effect.sleep(delay_ms)
  const hasher = yield* PasswordHasher
  let found: number | undefined
  for (const [index, hash] of hashes.entries()) {
    for (const form of forms) {
      if (found === undefined && (yield* hasher.verify(form, hash))) found = index
    }
  }
  // The limit is checked again, so that concurrent guesses beyond the limit get no result.
  const { hold_ms } = yield* admit(username, ip)
  yield* found === undefined
    ? attempts.record({ username, ip, at: yield* currentTimestamp })
    : attempts.clear(username, ip)
  return { found, hold_ms } satisfies Verification
})

/**
 * Runs a verification in a slot (AUTH-29). A wrong secret keeps the slot after the response, even if the client has
 * disconnected.
 */
const runInSlot = <E, R>(key: string, verifying: Effect.Effect<Verification, E, R>) =>
  Effect.flatMap(AttemptSlots, (take) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (slot) => Effect.andThen(Scope.provide(take({ key }), slot), verifying),
      (slot, exit) =>
        Exit.isSuccess(exit) && exit.value.found === undefined && exit.value.hold_ms > 0
          ? Effect.asVoid(Effect.forkDetach(Effect.delay(Scope.close(slot, Exit.void), exit.value.hold_ms)))
          : Scope.close(slot, exit)
    ))

/**
 * Returns the delay before the verification, and the time for which a failure keeps its slot. Fails with
 * TooManyAttempts while this username is locked for this address.
 */
const admit = Effect.fnUntraced(function*(username: string, ip: string) {
  const at = yield* currentTimestamp
  const failures = yield* (yield* LoginAttempts).failures(username, ip, addMillis(at, -loginWindowMs))
  const verdict = judgeAttempts(failures, ip, at)
  return verdict._tag === "Proceed"
    ? verdict
    : yield* new TooManyAttempts({ retry_after_seconds: verdict.retry_after_seconds })
})
