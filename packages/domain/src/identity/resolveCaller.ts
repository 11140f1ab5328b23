import { Effect, type Exit, Option, Result } from "effect"
import { type Caller } from "../access/Caller.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { parseId } from "../values/Uuid.ts"
import { type AccessClaims, judgeClaims, judgePrincipal, judgeSubject, Unauthenticated } from "./AccessClaims.ts"
import { judgeClientId } from "./ApiClient.ts"
import { type Principal, PrincipalRepository } from "./Principal.ts"
import { TokenSigner } from "./TokenSigner.ts"

/**
 * Returns the caller for a principal that the host application has authenticated: a user by its id, or an API client by
 * its `client_id`. Fails with Unauthenticated if the principal is unknown or inactive.
 */
export const callerOfPrincipal = Effect.fnUntraced(function*(kind: "user" | "client", subject: string) {
  const id = kind === "user" ? parseId<string>(subject) : Result.getSuccess(judgeClientId(subject))
  const principals = yield* PrincipalRepository
  const principal = Option.isNone(id) ? Option.none() : yield* principals.find(kind, id.value)
  return yield* Effect.fromResult(judgePrincipal(principal))
})

/** A caller, and the stored principal of which it is a snapshot. */
export interface ResolvedCaller {
  readonly principal: Principal
  readonly caller: Caller
}

/** Checks claims against a stored principal. */
const judgeStored = (
  claims: AccessClaims,
  principal: Option.Option<Principal>,
  at: Timestamp
): Result.Result<ResolvedCaller, Unauthenticated> =>
  Option.isNone(principal)
    ? Result.fail(new Unauthenticated({ reason: "unknown" }))
    : Result.map(judgeClaims(claims, principal, at), (caller) => ({ principal: principal.value, caller }))

/** The names of all fields of a principal. A missing name is a compile error. */
const principalFields = Object.keys(
  {
    kind: true,
    subject: true,
    partner_id: true,
    root_id: true,
    group_id: true,
    active: true,
    partners_active: true,
    credentials_version: true,
    previous_valid_until: true,
    must_change_password: true,
    session_ended: true
  } satisfies Record<keyof Principal, true>
) as ReadonlyArray<keyof Principal>

const isUnchanged = (before: Principal, now: Principal): boolean =>
  principalFields.every((field) => before[field] === now[field])

/** Returns whether the caller of an earlier request with the same token can be used again. */
const isCurrent = (claims: AccessClaims, seen: ResolvedCaller, principal: Option.Option<Principal>): boolean =>
  // A token that was issued with the previous secret becomes invalid at the end of the overlap (CLIENT-05), without a
  // change of the principal. So it is checked at every request.
  claims.credentials_version === seen.principal.credentials_version &&
  Option.isSome(principal) && isUnchanged(seen.principal, principal.value)

/**
 * Checks the claims of a verified token against the stored principal. Fails with Unauthenticated if the token is no
 * longer valid. `seen` is the caller that an earlier request with the same token had.
 */
export const resolveClaims = Effect.fnUntraced(function*(claims: AccessClaims, seen?: ResolvedCaller) {
  const { kind, subject } = yield* Effect.fromResult(judgeSubject(claims))
  const principal = yield* (yield* PrincipalRepository).find(kind, subject, claims.sid)
  if (seen !== undefined && isCurrent(claims, seen, principal)) return seen
  return yield* Effect.fromResult(judgeStored(claims, principal, yield* currentTimestamp))
})

/** Runs a read again, for the caller with the changed principal. */
const rereadAsCurrent = Effect.fnUntraced(function*<A, E, R>(
  claims: AccessClaims,
  principal: Option.Option<Principal>,
  read: (caller: Caller) => Effect.Effect<A, E, R>
) {
  const current = yield* Effect.fromResult(judgeStored(claims, principal, yield* currentTimestamp))
  return { current, result: yield* Effect.exit(read(current.caller)) }
})

/**
 * A read can run at the same time as the check of its token. It first runs for the caller that an earlier request with
 * the same token had. If the stored principal has changed since, the result is dropped and the read runs again. Returns
 * the current caller and the result. Fails with Unauthenticated if the token is no longer valid.
 *
 * `read` must change nothing. A read that stores an audit entry runs only after the check.
 * @rule AUTH-22
 */
export const readAsLastSeen = <A, E, R>(
  claims: AccessClaims,
  seen: ResolvedCaller,
  read: (caller: Caller) => Effect.Effect<A, E, R>
): Effect.Effect<
  { readonly current: ResolvedCaller; readonly result: Exit.Exit<A, E> },
  Unauthenticated,
  R | PrincipalRepository
> =>
  // No generator here, because every read of the API runs this code.
  PrincipalRepository.use((principals) => {
    const { kind, subject } = seen.principal
    const reading = principals.findWhile(kind, subject, Effect.exit(read(seen.caller)), claims.sid)
    return Effect.flatMap(reading, ([principal, result]) =>
      isCurrent(claims, seen, principal)
        ? Effect.succeed({ current: seen, result })
        : rereadAsCurrent(claims, principal, read))
  })

/**
 * Verifies a bearer token, checks it against the stored principal and returns the caller. Fails with Unauthenticated if
 * the token is not valid. It creates no tracing span, because every request calls it.
 */
export const resolveCaller = Effect.fnUntraced(function*(token: string) {
  const { caller } = yield* resolveClaims(yield* (yield* TokenSigner).verify(token))
  return caller
})
