import { Context, Effect, type MutableRef, MutableRef as Cell, Option, Schema } from "effect"
import { type Action, type Allowed } from "../hierarchy/Authorization.ts"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { judge, scopeOf } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../partner/PartnerId.ts"
import { millisOf, now, timestampOf } from "../time/Timestamp.ts"
import { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"

/** The key was used before for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The first request with this key is still running. */
export class IdempotencyInFlight extends Schema.TaggedError<IdempotencyInFlight>()("IdempotencyInFlight", {}) {}

/** The key that came with a request. `replayed` becomes true when the answer is the first one over again. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: string
  readonly replayed: MutableRef.MutableRef<boolean>
}

/** The present request's key, if it came with one. */
export const CurrentIdempotencyKey = Context.Reference<IdempotencyKey | undefined>(
  "@lastro/domain/idempotency/once/CurrentIdempotencyKey",
  { defaultValue: () => undefined }
)

/** Milliseconds a first answer is kept. */
export const idempotencyWindowMs = 24 * 3_600_000

/**
 * Runs an effect at most once per key and caller: the same request again gets the first answer again, another request
 * under the same key is refused, and only success binds the key. Belongs inside the transaction of the effect. `owner`
 * is the partner whose hierarchy is checked again before a replay.
 * @rule IDEM-01
 */
export const once =
  <A extends Schema.Json>(allowed: Allowed<Action>, owner: (answer: A) => PartnerId) =>
  <E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const current = yield* CurrentIdempotencyKey
      if (current === undefined) return yield* effect
      const store = yield* IdempotencyStore
      const slot: IdempotencySlot = { subject: allowed.caller.subject, key: current.key }
      if (!(yield* store.claim(slot))) return yield* new IdempotencyInFlight()
      const at = yield* now
      const stored = yield* store.find(slot, timestampOf(millisOf(at) - idempotencyWindowMs))
      if (Option.isSome(stored)) return yield* replay<A>(allowed, current, stored.value)
      const answer = yield* effect
      yield* store.save(slot, {
        fingerprint: current.fingerprint,
        partner_id: owner(answer),
        answer: JSON.stringify(answer),
        stored_at: at
      })
      return answer
    })

const replay = Effect.fnUntraced(function*<A>(allowed: Allowed<Action>, current: IdempotencyKey, stored: StoredAnswer) {
  yield* Effect.fromResult(judge(yield* (yield* PartnerTree).find(scopeOf(allowed), stored.partner_id)))
  if (stored.fingerprint !== current.fingerprint) return yield* new IdempotencyKeyReused()
  Cell.set(current.replayed, true)
  return JSON.parse(stored.answer) as A
})
