import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { type PasswordHash, PasswordHasher } from "@lastro/domain/identity"
import { passwordHasherSuite } from "@lastro/testkit/suites"
import { Duration, Effect, Layer, Option, Redacted, Ref } from "effect"
import { Kdf } from "effect/crypto"
import * as runner from "vitest"
import { formatPhc, layerPasswordHasher, parsePhc } from "../../src/security/PasswordHasher.ts"

const limits = { concurrent: 3, perAddress: 64, waiting: 256, maxWait: Duration.minutes(1) }

const cheap = { memory: 64, passes: 1, parallelism: 1 }

/** Calls of the key derivation: their number, maximum concurrency and costs. */
interface Observed {
  readonly calls: number
  readonly running: number
  readonly most: number
  readonly costs: ReadonlyArray<string>
}

const observing = (observed: Ref.Ref<Observed>) =>
  Layer.effect(
    Kdf.Kdf,
    Effect.map(Kdf.Kdf, (kdf) =>
      Kdf.Kdf.of({
        derive: (algorithm, secret, options) =>
          // The start computes the cheapest hash to find out whether the runtime has argon2id.
          options.length === 4 ? kdf.derive(algorithm, secret, options) : Effect.acquireUseRelease(
            Ref.update(observed, ({ calls, costs, most, running }) => ({
              calls: calls + 1,
              running: running + 1,
              most: Math.max(most, running + 1),
              costs: [
                ...costs,
                algorithm._tag === "Argon2id" ? `${algorithm.memory},${algorithm.passes}` : algorithm._tag
              ]
            })),
            () => kdf.derive(algorithm, secret, options),
            () => Ref.update(observed, (now) => ({ ...now, running: now.running - 1 }))
          )
      }))
  ).pipe(Layer.provide(NodeCrypto.layer))

const withObserver = <A, E>(test: (observed: Ref.Ref<Observed>) => Effect.Effect<A, E, PasswordHasher>) =>
  Effect.gen(function*() {
    const observed = yield* Ref.make<Observed>({ calls: 0, running: 0, most: 0, costs: [] })
    const hasher = layerPasswordHasher(cheap, limits).pipe(
      Layer.provide(observing(observed)),
      Layer.provide(NodeCrypto.layer)
    )
    return yield* Effect.provide(test(observed), hasher)
  })

const right = Redacted.make("correct horse battery staple")
const wrong = Redacted.make("Correct horse battery staple")

passwordHasherSuite("argon2id", Layer.provide(layerPasswordHasher(cheap), NodeCrypto.layer), runner)

describe("PasswordHasher", () => {
  it.live("verifies exactly the hashed password", () =>
    withObserver(() =>
      Effect.gen(function*() {
        const hasher = yield* PasswordHasher
        const text = yield* hasher.hash(right)
        const hash = Option.some(text)
        assert.match(text, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
        assert.isTrue(yield* hasher.verify(right, hash))
        assert.isFalse(yield* hasher.verify(wrong, hash))
        assert.notStrictEqual(yield* hasher.hash(right), text, "salted")
      })
    ))

  it.live("verifies a hash of another implementation with the cost in the hash", () =>
    withObserver((observed) =>
      Effect.gen(function*() {
        const hasher = yield* PasswordHasher
        // From the tests of the reference implementation, github.com/P-H-C/phc-winner-argon2, src/test.c.
        const reference =
          "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc" as PasswordHash
        assert.isTrue(yield* hasher.verify(Redacted.make("password"), Option.some(reference)))
        assert.deepStrictEqual((yield* Ref.get(observed)).costs, ["65536,2"])
        assert.isFalse(yield* hasher.verify(Redacted.make("Password"), Option.some(reference)))
      })
    ))

  it.live("T36 does the same work for an unknown principal and always fails", () =>
    withObserver((observed) =>
      Effect.gen(function*() {
        const hasher = yield* PasswordHasher
        assert.isFalse(yield* hasher.verify(right, Option.none()))
        assert.isFalse(yield* hasher.verify(Redacted.make(""), Option.none()))
        for (const broken of ["", "$argon2id$", "$not-secure$1$abc", "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA"]) {
          assert.isFalse(yield* hasher.verify(right, Option.some(broken as PasswordHash)), broken)
        }
        const generated = yield* hasher.hashGenerated(right)
        assert.isFalse(yield* hasher.verify(wrong, Option.some(generated)))
        const { calls, costs } = yield* Ref.get(observed)
        assert.strictEqual(calls, 7)
        assert.deepStrictEqual(new Set(costs), new Set(["64,1"]))
      })
    ))

  it.live("T61 a right generated secret is verified without argon2", () =>
    withObserver((observed) =>
      Effect.gen(function*() {
        const hasher = yield* PasswordHasher
        const hash = yield* hasher.hashGenerated(right)
        assert.match(hash, /^\$sha256\$[A-Za-z0-9_-]{43}$/)
        assert.isTrue(yield* hasher.verify(right, Option.some(hash)))
        assert.strictEqual((yield* Ref.get(observed)).calls, 0)
      })
    ))

  it.live("T37 computes no more hashes concurrently than its limit", () =>
    withObserver((observed) =>
      Effect.gen(function*() {
        const hasher = yield* PasswordHasher
        const asked = Effect.replicateEffect(hasher.verify(right, Option.none()), 50, { concurrency: "unbounded" })
        yield* asked
        const { calls, most, running } = yield* Ref.get(observed)
        assert.deepStrictEqual({ calls, most, running }, { calls: 50, most: 3, running: 0 })
      })
    ))

  it("formats and parses PHC strings", () => {
    const hash = { cost: cheap, salt: new Uint8Array(16).fill(251), hash: new Uint8Array(32).fill(7) }
    const read = Option.getOrThrow(parsePhc(formatPhc(hash)))
    assert.deepStrictEqual(read.cost, hash.cost)
    assert.deepStrictEqual([...read.salt], [...hash.salt])
    assert.deepStrictEqual([...read.hash], [...hash.hash])
  })
})
