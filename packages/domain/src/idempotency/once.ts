import { Context, Data, Effect, type MutableRef, MutableRef as Cell, Option, Schema } from "effect"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { type Found, judge, scopeOf } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../id/PartnerId.ts"
import { type Action, type Allowed } from "../identity/Authorization.ts"
import { millisOf, now, timestampOf } from "../time/Timestamp.ts"
import { type ValidationFailed } from "../validation/FieldProblem.ts"
import { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"

/** The key was used before for another request. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused") {}

/** The first request with this key is still running. */
export class IdempotencyInFlight extends Data.TaggedError("IdempotencyInFlight") {}

/** The key that came with a request. `replayed` becomes true when the answer is the first one over again. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: string
  readonly replayed: MutableRef.MutableRef<boolean>
}

/** The present request's key, if it came with one; what is wrong with it, if it came with what is none. */
export const CurrentIdempotencyKey = Context.Reference<IdempotencyKey | ValidationFailed | undefined>(
  "@lastro/domain/idempotency/once/CurrentIdempotencyKey",
  { defaultValue: () => undefined }
)

/** Milliseconds a first answer is kept. */
export const idempotencyWindowMs = 24 * 3_600_000

/** How a replay finds out whether the caller may still see what the first answer tells. */
export interface Replayed<A, R> {
  /**
   * The record of an answer where it lies now; none once it was deleted. The answer may be another operation's, if the
   * key was used for one.
   */
  readonly present: (answer: Partial<A>) => Effect.Effect<Option.Option<Found<unknown>>, never, R>
  /** The partner that stands in for a record that was deleted. */
  readonly owner: (answer: A) => PartnerId
  /** What of an answer the caller is shown now; a replay shows no more than the caller may see by then. All unless given. */
  readonly shown?: (answer: A) => A
}

/**
 * Runs an effect at most once per key and caller: the same request again gets the first answer again, though its record
 * was changed or deleted since, another request under the same key is refused, and only success binds the key. Either is
 * judged only after the caller's hierarchy, by where the record lies now. What came as a key and is none is refused here,
 * where keys are judged, and not before. Belongs inside the transaction of the effect.
 * @rule IDEM-01
 */
export const once = <A extends Schema.Json, P>(
  allowed: Allowed<Action>,
  { owner, present, shown = (answer) => answer }: Replayed<A, P>
) =>
<E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const current = yield* CurrentIdempotencyKey
    if (current === undefined) return shown(yield* effect)
    if ("problems" in current) return yield* current
    const store = yield* IdempotencyStore
    const slot: IdempotencySlot = { subject: allowed.caller.subject, key: current.key }
    if (!(yield* store.claim(slot))) return yield* new IdempotencyInFlight()
    const at = yield* now
    const stored = yield* store.find(slot, timestampOf(millisOf(at) - idempotencyWindowMs))
    if (Option.isSome(stored)) return shown(yield* replay(allowed, current, stored.value, present))
    const answer = yield* effect
    yield* store.save(slot, {
      fingerprint: current.fingerprint,
      partner_id: owner(answer),
      answer: JSON.stringify(answer),
      stored_at: at
    })
    return shown(answer)
  })

const replay = Effect.fnUntraced(function*<A, R>(
  allowed: Allowed<Action>,
  current: IdempotencyKey,
  stored: StoredAnswer,
  present: Replayed<A, R>["present"]
) {
  const answer = JSON.parse(stored.answer) as A
  const record = yield* present(answer)
  const place: Option.Option<Found<unknown>> = Option.isSome(record)
    ? record
    : yield* (yield* PartnerTree).find(scopeOf(allowed), stored.partner_id)
  if (Option.isSome(place)) yield* Effect.fromResult(judge(place))
  if (stored.fingerprint !== current.fingerprint) return yield* new IdempotencyKeyReused()
  Cell.set(current.replayed, true)
  return answer
})
