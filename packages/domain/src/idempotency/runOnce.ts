import { Effect, Option, Result, type Schema } from "effect"
import { type Allowed, type AuthorizedAction } from "../access/Authorization.ts"
import { type FoundRecord, judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { Refusal } from "../input/Refusal.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { type PartnerId } from "../values/ids.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { type IdempotencySlot, IdempotencyStore, type StoredAnswer } from "./IdempotencyStore.ts"

const shape = /^[\x21-\x7e]{1,255}$/

/** A valid idempotency key (IDEM-02), with the fingerprint of its request. */
export interface IdempotencyKey {
  readonly key: string
  readonly fingerprint: string
}

/** The idempotency key as the caller sent it. {@link runOnce} fails if it is malformed. */
export type SentKey = Result.Result<IdempotencyKey, ValidationFailed>

/**
 * An idempotency key has 1 to 255 visible ASCII characters. A malformed key is a problem of `field`, which
 * {@link runOnce} reports. `fingerprint` computes the fingerprint of the request.
 * @rule IDEM-02
 */
export const parseIdempotencyKey = (key: unknown, field: string, fingerprint: () => string): SentKey =>
  typeof key === "string" && shape.test(key)
    ? Result.succeed({ key, fingerprint: fingerprint() })
    : Result.fail(
      new ValidationFailed({ problems: [{ field, ...invalidFormat("1 to 255 visible ASCII characters") }] })
    )

/** The idempotency key was used before for another request. */
export class IdempotencyKeyReused extends Refusal(
  "IdempotencyKeyReused",
  "This idempotency key was already used for a different request. Use a new key."
) {}

/** The first request with this idempotency key is still running. */
export class IdempotencyInFlight extends Refusal(
  "IdempotencyInFlight",
  "Another request with this idempotency key is still running. Retry when it has finished."
) {}

/** The answer to a command. */
export interface Once<A> {
  readonly answer: A
  /** True if the answer is the stored answer to an earlier request with the same idempotency key. */
  readonly replayed: boolean
}

/** Time for which a first response is stored, in milliseconds: 24 hours. */
export const idempotencyWindowMs = 24 * 3_600_000

/** Functions for a replay. They check that the caller can still see the first response. */
export interface ReplayRules<A, R> {
  /**
   * Finds the record of a response at its current position in the hierarchy. None if it was deleted. The response can
   * lack fields, because the key can belong to another operation.
   */
  readonly present: (answer: Partial<A>) => Effect.Effect<Option.Option<FoundRecord<unknown>>, never, R>
  /** Returns the partner to check if the record was deleted. */
  readonly owner: (answer: A) => PartnerId
  /** Returns the id of the record of a response. */
  readonly record: (answer: A) => string
  /**
   * Removes the fields that the caller must not see, from a first response and from a replay. Default: removes nothing.
   */
  readonly shown?: (answer: A) => A
}

/**
 * A request with an idempotency key takes effect at most once for each caller and key. The same request again returns
 * the first response, even if the record has changed since. A different request with the same key is refused. The key
 * of a failed request can be used again.
 *
 * A replay requires that the record is now in the caller's subtree. A malformed key is refused. Call this function in
 * the transaction of `effect`. `prepare` runs before `effect`, also before a replay. It reads and locks, but changes
 * nothing.
 * @rule IDEM-01
 */
export const runOnce = <A extends Schema.Json, P, B, E2, R2>(
  allowed: Allowed<AuthorizedAction>,
  sent: SentKey | undefined,
  { owner, present, record, shown = (answer) => answer }: ReplayRules<A, P>,
  prepare: Effect.Effect<B, E2, R2>
) =>
<E, R>(effect: (prepared: B) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    if (sent === undefined) return { answer: shown(yield* Effect.flatMap(prepare, effect)), replayed: false }
    const current = yield* Effect.fromResult(sent)
    const store = yield* IdempotencyStore
    const slot: IdempotencySlot = { subject: allowed.caller.subject, key: current.key }
    const at = yield* currentTimestamp
    // The three start in this order, so that a database can answer them in one round trip.
    const [isClaimed, stored, prepared] = yield* Effect.all([
      store.claim(slot),
      store.find(slot, addMillis(at, -idempotencyWindowMs)),
      prepare
    ], { concurrency: "unbounded" })
    if (!isClaimed) return yield* new IdempotencyInFlight()
    if (Option.isSome(stored)) {
      return { answer: shown(yield* replay(allowed, current, stored.value, present)), replayed: true }
    }
    const answer = yield* effect(prepared)
    yield* store.save(slot, {
      fingerprint: current.fingerprint,
      partner_id: owner(answer),
      record_id: record(answer),
      answer: JSON.stringify(answer),
      stored_at: at
    })
    return { answer: shown(answer), replayed: false }
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
  return answer
})
