import { Duration, Effect, Option, Result } from "effect"
import { type Allowed, SelfDelete } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { NotFound } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { type ApiClient, ApiClientRepository } from "../identity/ApiClient.ts"
import { PrincipalRepository } from "../identity/Principal.ts"
import { defaultOverlap, judgeRotation } from "../identity/secretOverlap.ts"
import { decodeBody } from "../input/decode.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { judgeGrant } from "../user/judgeGroup.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { findClient, generateSecret, type NewSecret, placeOfClient, recordClient } from "./clientChange.ts"
import { type ClientDetail, clientDetail, RotateClientRequest } from "./ClientDetail.ts"
import { withClientSecret } from "./CreateClient.ts"

/**
 * An API client cannot revoke itself.
 * @rule CLIENT-08
 */
export const judgeClientRevocation = (
  { kind, subject }: Pick<Caller, "kind" | "subject">,
  client_id: string
): Result.Result<void, SelfDelete> =>
  kind === "client" && subject === client_id ? Result.fail(new SelfDelete()) : Result.void

/** Finds an API client in the caller's subtree that is not revoked. Checks that the caller can change it. */
const findChangeable = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  client_id: string,
  isForUpdate: boolean
) {
  const client = yield* findClient(allowed, client_id, isForUpdate)
  if (client.revoked_at !== null) return yield* new NotFound()
  yield* Effect.fromResult(judgeGrant(allowed, client.group_id))
  return client
})

/**
 * Revokes an API client in the caller's subtree. Its tokens are refused from the next request on. Fails with NotFound
 * if it is revoked already. `expected` is the precondition on the stored client.
 */
export const revokeClient = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  client_id: string,
  expected: Precondition<ClientDetail> = anyState
) {
  const { caller } = allowed
  const revoke = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(caller.root_id, "shared")
    const before = yield* findChangeable(allowed, client_id, true)
    yield* Effect.fromResult(judgePrecondition(clientDetail(before), expected))
    yield* Effect.fromResult(judgeClientRevocation(caller, client_id))
    const at = yield* currentTimestamp
    yield* (yield* ApiClientRepository).revoke(client_id, at)
    yield* recordClient("revoke", { at, caller, before, after: { ...before, revoked_at: at } })
  })
  yield* (yield* UnitOfWork).atomically(revoke)
})

/**
 * Stores a new secret of a locked API client. The current secret stays valid for the overlap. If the secret before the
 * current one is still valid, it ends, or the call fails with EarlierSecretValid (CLIENT-07). Returns whether it ended.
 */
export const replaceSecret = Effect.fnUntraced(function*(
  caller: Caller | null,
  client: ApiClient,
  { hash }: NewSecret,
  { ends_earlier, overlap_ms }: { readonly overlap_ms: number; readonly ends_earlier: boolean }
) {
  const { client_id } = client
  const at = yield* currentTimestamp
  const credentials = yield* (yield* PrincipalRepository).findByClientId(client_id)
  const principal = Option.isSome(credentials) ? credentials.value.principal : {}
  const ended_earlier = yield* Effect.fromResult(judgeRotation(principal, { at, overlap_ms, ends_earlier }))
  const previous_valid_until = overlap_ms === 0 ? null : addMillis(at, overlap_ms)
  yield* (yield* ApiClientRepository).setSecret(client_id, hash, previous_valid_until)
  yield* recordClient("rotate", { at, caller, after: client })
  return ended_earlier
})

const decodeRotation = decodeBody(RotateClientRequest)

/**
 * Replaces the secret of an API client in the caller's subtree, and returns the new one once. The current secret stays
 * valid for 24 hours by default. With an overlap above 0, fails with EarlierSecretValid while the secret before the
 * current one is valid. The body is untrusted.
 */
export const rotateClientSecret = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  client_id: string,
  body: unknown,
  key?: SentKey
) {
  const generated = yield* generateSecret
  const transaction = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(allowed.caller.root_id, "shared")
    // This read takes no row lock, so that a request whose idempotency key is in use is refused without a wait.
    const seen = yield* findChangeable(allowed, client_id, false)
    const rotate = Effect.fnUntraced(function*() {
      const client = yield* findChangeable(allowed, client_id, true)
      const { overlap_hours } = yield* Effect.fromResult(decodeRotation(body ?? {}))
      const overlap = overlap_hours === undefined ? defaultOverlap : Duration.hours(overlap_hours)
      yield* replaceSecret(allowed.caller, client, generated, {
        overlap_ms: Duration.toMillis(overlap),
        ends_earlier: false
      })
      return clientDetail(client)
    })
    return yield* runOnce(allowed, key, {
      present: (_: Partial<ClientDetail>) => placeOfClient(allowed, Option.some(seen)),
      owner: () => seen.partner_id,
      record: () => client_id
    }, Effect.void)(rotate)
  })
  return withClientSecret(yield* (yield* UnitOfWork).atomically(transaction), generated.secret)
})
