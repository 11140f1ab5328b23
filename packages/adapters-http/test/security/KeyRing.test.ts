import { assert, describe, it } from "@effect/vitest"
import { SigningKeyRepository } from "@lastro/domain/identity"
import { revokeSigningKey } from "@lastro/domain/operator"
import { UnitOfWork } from "@lastro/domain/ports"
import { layerMemory } from "@lastro/testkit"
import { Context, Effect, Fiber, Latch, Layer, Option, Ref } from "effect"
import { TestClock } from "effect/testing"
import { generateSigningKey, KeyRing, layerKeyRing } from "../../src/security/KeyRing.ts"

/** Counts the reads of the keys. Yields like a database call. */
const counting = (reads: Ref.Ref<number>) =>
  Layer.effect(
    SigningKeyRepository,
    Effect.map(SigningKeyRepository, (repository) =>
      SigningKeyRepository.of({
        ...repository,
        all: Ref.update(reads, (count) => count + 1).pipe(
          Effect.andThen(Effect.yieldNow),
          Effect.andThen(repository.all)
        )
      }))
  ).pipe(Layer.provide(layerMemory))

describe("KeyRing", () => {
  it.effect("KEY-04 reloads the keys every five seconds, also for unknown ids", () =>
    Effect.gen(function*() {
      const reads = yield* Ref.make(0)
      yield* Effect.gen(function*() {
        const ring = yield* KeyRing
        const { record } = yield* ring.signing
        const initial = yield* Ref.get(reads)
        const more = Effect.map(Ref.get(reads), (count) => count - initial)
        const verifying = (kid: string) => Effect.clockWith((clock) => ring.verifying(kid, clock))
        const unknown = Effect.forEach(Array.from({ length: 100 }, (_, index) => `unknown-${index}`), verifying, {
          concurrency: "unbounded"
        })
        yield* Effect.replicateEffect(verifying(record.kid), 100)
        assert.strictEqual(yield* more, 0)
        yield* TestClock.adjust("5 seconds")
        assert.isTrue((yield* unknown).every(Option.isNone))
        assert.strictEqual(yield* more, 1)
        yield* unknown
        assert.strictEqual(yield* more, 1)
        yield* TestClock.adjust("4999 millis")
        yield* ring.published
        assert.strictEqual(yield* more, 1)
        yield* TestClock.adjust("1 millis")
        yield* Effect.all([ring.published, ring.signing, verifying(record.kid)], { concurrency: "unbounded" })
        assert.strictEqual(yield* more, 2)
        yield* TestClock.adjust("1 hour")
        yield* ring.published
        assert.strictEqual(yield* more, 3)
        // The clock is set back. Otherwise, a revoked key would stay valid for an hour.
        yield* TestClock.setTime(0)
        yield* TestClock.adjust("5 seconds")
        yield* ring.published
        assert.strictEqual(yield* more, 4)
      }).pipe(Effect.provide(Layer.provide(layerKeyRing, counting(reads))))
    }))

  it.effect("KEY-04 a revoked key is refused after a slow read that began before the revocation", () =>
    Effect.gen(function*() {
      const repository = yield* SigningKeyRepository
      const gate = yield* Latch.make(true)
      const slow = Effect.tap(repository.all, gate.await)
      const built = yield* Layer.build(
        Layer.provide(layerKeyRing, Layer.succeed(SigningKeyRepository, { ...repository, all: slow }))
      )
      const ring = Context.get(built, KeyRing)
      const { record: { kid } } = yield* ring.signing
      yield* TestClock.adjust("5 seconds")
      yield* gate.close
      const waiting = yield* Effect.forkChild(Effect.clockWith((clock) => ring.verifying(kid, clock)))
      yield* TestClock.adjust("1 second")
      yield* revokeSigningKey(kid, generateSigningKey)
      yield* TestClock.adjust("8 seconds")
      yield* gate.open
      assert.isTrue(Option.isNone(yield* Fiber.join(waiting)), "a read that waited longer than a key may be cached")
      assert.isTrue(Option.isNone(yield* Effect.clockWith((clock) => ring.verifying(kid, clock))))
      assert.isFalse((yield* ring.published).some((key) => key.kid === kid))
    }).pipe(Effect.scoped, Effect.provide(layerMemory)))

  it.effect("a transaction does not wait for a reload that may wait for its connection", () =>
    Effect.gen(function*() {
      const repository = yield* SigningKeyRepository
      const { atomically, isOpen } = yield* UnitOfWork
      const gate = yield* Latch.make(true)
      const all = Effect.andThen(
        Effect.flatMap(isOpen, (open) => open ? Effect.void : gate.await),
        repository.all
      )
      const built = yield* Layer.build(
        Layer.provide(layerKeyRing, Layer.succeed(SigningKeyRepository, { ...repository, all }))
      )
      const ring = Context.get(built, KeyRing)
      const { record: { kid } } = yield* ring.signing
      const verifying = Effect.clockWith((clock) => ring.verifying(kid, clock))
      yield* TestClock.adjust("5 seconds")
      yield* gate.close
      const waiting = yield* Effect.forkChild(verifying)
      yield* Effect.yieldNow
      assert.isTrue(Option.isSome(yield* atomically(verifying)))
      yield* gate.open
      assert.isTrue(Option.isSome(yield* Fiber.join(waiting)))
    }).pipe(Effect.scoped, Effect.provide(layerMemory)))

  it.effect("generates the first key once for concurrent starts", () =>
    Effect.gen(function*() {
      const rings = yield* Effect.replicateEffect(
        Effect.map(Layer.build(Layer.fresh(layerKeyRing)), (built) => built),
        4
      )
      const signing = yield* Effect.forEach(
        rings,
        (built) => Effect.flatMap(KeyRing, (ring) => ring.signing).pipe(Effect.provide(built)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(signing.map(({ record }) => record.kid)).size, 1)
      assert.lengthOf(yield* (yield* SigningKeyRepository).all, 1)
    }).pipe(Effect.scoped, Effect.provide(layerMemory)))

  it.effect("publishes no private key", () =>
    Effect.gen(function*() {
      const ring = yield* KeyRing
      for (const key of yield* ring.published) {
        assert.sameMembers(Object.keys(key), ["kty", "crv", "x", "y", "kid", "alg", "use"])
      }
    }).pipe(Effect.provide(Layer.provide(layerKeyRing, layerMemory))))
})
