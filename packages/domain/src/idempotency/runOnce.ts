import { Context, Data, Effect, MutableRef, MutableRef as Cell, Option, type Schema } from "effect"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { type FoundRecord, judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type PartnerId } from "../id/ids.ts"
import { type Allowed, type AuthorizedAction } from "../identity/Authorization.ts"
import { currentTimestamp, millisOf, timestampOf } from "../time/Timestamp.ts"
import { problem, ValidationFailed } from "../validation/FieldProblem.ts"
import { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"

const shape = /^[\x21-\x7e]{1,255}$/

/**
 * An idempotency key has 1 to 255 visible ASCII characters. A malformed key is returned as ValidationFailed on `field`, which the use
 * case raises when it is the key's turn in the order of checks. `fingerprint` computes the fingerprint of the request.
 * @rule IDEM-02
 */
export const parseIdempotencyKey = (
  key: string,
  field: string,
  fingerprint: () => string
): IdempotencyKey | ValidationFailed =>
  shape.test(key)
    ? { key, fingerprint: fingerprint(), replayed: MutableRef.make(false) }
    : new ValidationFailed({ problems: [{ field, ...problem("INVALID_FORMAT") }] })

/** The idempotency key was used before for another request. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused") {}

/** The first request with this idempotency key is still running. */
export class IdempotencyInFlight extends Data.TaggedError("IdempotencyInFlight") {}

/** The idempotency key of a request. `replayed` becomes true when the answer is a replay. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: string
  readonly replayed: MutableRef.MutableRef<boolean>
}

/** The idempotency key of the current request; undefined without one; ValidationFailed for a malformed one. */
export const CurrentIdempotencyKey = Context.Reference<IdempotencyKey | ValidationFailed | undefined>(
  "@lastro/domain/idempotency/runOnce/CurrentIdempotencyKey",
  { defaultValue: () => undefined }
)

/** How long a first answer is kept, in milliseconds: 24 hours. */
export const idempotencyWindowMs = 24 * 3_600_000

/** Checks that the caller of a replay may still see the first answer. */
export interface ReplayRules<A, R> {
  /**
   * Finds the record of an answer at its present place in the hierarchy; none if it was deleted. The answer is partial because
   * the key may have been used for another operation.
   */
  readonly present: (answer: Partial<A>) => Effect.Effect<Option.Option<FoundRecord<unknown>>, never, R>
  /** The partner that is checked instead of a deleted record. */
  readonly owner: (answer: A) => PartnerId
  /** Removes what the caller may not see from an answer, at a replay too. Default: the whole answer. */
  readonly shown?: (answer: A) => A
}

/**
 * A request with an idempotency key takes effect at most once for each caller and key. The same request again gets the first answer,
 * even if the record has changed since. Another request with the same key is refused. Only a successful request binds its key.
 *
 * The caller's hierarchy is checked first, by the present place of the record. A malformed key is refused at this point of the order
 * of checks. Run this inside the transaction of the effect.
 * @rule IDEM-01
 */
export const runOnce = <A extends Schema.Json, P>(
  allowed: Allowed<AuthorizedAction>,
  { owner, present, shown = (answer) => answer }: ReplayRules<A, P>
) =>
<E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const current = yield* CurrentIdempotencyKey
    if (current === undefined) return shown(yield* effect)
    if ("problems" in current) return yield* current
    const store = yield* IdempotencyStore
    const slot: IdempotencySlot = { subject: allowed.caller.subject, key: current.key }
    if (!(yield* store.claim(slot))) return yield* new IdempotencyInFlight()
    const at = yield* currentTimestamp
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
  allowed: Allowed<AuthorizedAction>,
  current: IdempotencyKey,
  stored: StoredAnswer,
  present: ReplayRules<A, R>["present"]
) {
  const answer = JSON.parse(stored.answer) as A
  const record = yield* present(answer)
  const place: Option.Option<FoundRecord<unknown>> = Option.isSome(record)
    ? record
    : yield* (yield* PartnerTree).find(scopeOf(allowed), stored.partner_id)
  if (Option.isSome(place)) yield* Effect.fromResult(judgeFound(place))
  if (stored.fingerprint !== current.fingerprint) return yield* new IdempotencyKeyReused()
  Cell.set(current.replayed, true)
  return answer
})
