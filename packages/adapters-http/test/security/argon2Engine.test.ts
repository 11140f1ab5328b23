import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { PasswordHasher } from "@lastro/domain/identity"
import { passwordHasherSuite } from "@lastro/testkit/suites"
import { Cause, Effect, Exit, Layer, Option, Redacted } from "effect"
import { CryptoError, Kdf } from "effect/crypto"
import * as fc from "fast-check"
import * as runner from "vitest"
import { argon2Engine, Argon2Missing } from "../../src/security/argon2Engine.ts"
import { layerPasswordHasher } from "../../src/security/PasswordHasher.ts"

const cheap = { memory: 64, passes: 1, parallelism: 1 }

/** The key derivation of a runtime without argon2id, such as Node.js 22. */
const unsupported = Kdf.Kdf.of({
  derive: () =>
    Effect.fail(
      new CryptoError.CryptoError({
        module: "Kdf",
        method: "derive",
        reason: new CryptoError.Unsupported({ description: "no argon2id" })
      })
    )
})

const withLibrary = layerPasswordHasher(cheap).pipe(
  Layer.provide(Layer.succeed(Kdf.Kdf, unsupported)),
  Layer.provide(NodeCrypto.layer)
)
const withNode = Layer.provide(layerPasswordHasher(cheap), NodeCrypto.layer)

passwordHasherSuite("argon2id of @node-rs/argon2", withLibrary, runner)

describe("argon2Engine", () => {
  it.live("the library computes the same hashes as Node.js, for every cost, salt and length", () =>
    Effect.gen(function*() {
      const node = yield* argon2Engine(yield* Kdf.Kdf)
      const library = yield* argon2Engine(unsupported)
      const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength })
      const cost = fc.record({
        memory: fc.integer({ min: 32, max: 128 }),
        passes: fc.integer({ min: 1, max: 3 }),
        parallelism: fc.integer({ min: 1, max: 4 })
      })
      const example = fc.record({ secret: bytes(1, 40), salt: bytes(8, 32), hash: bytes(4, 64), cost })
      for (const { secret, ...hash } of fc.sample(example, { numRuns: 30, seed: 7 })) {
        assert.deepStrictEqual(yield* library(secret, hash), yield* node(secret, hash))
      }
    }).pipe(Effect.provide(NodeCrypto.layer)))

  it.live("a hash that one of them stored is verified by the other", () =>
    Effect.gen(function*() {
      const secret = Redacted.make("correct horse battery staple")
      const hashers = [withNode, withLibrary]
      const use = (layer: typeof withNode) => <A, E>(effect: Effect.Effect<A, E, PasswordHasher>) =>
        Effect.provide(effect, layer, { local: true })
      for (const [storing, verifying] of [hashers, hashers.toReversed()] as const) {
        if (storing === undefined || verifying === undefined) continue
        const stored = yield* PasswordHasher.use(({ hash }) => hash(secret)).pipe(use(storing))
        const verify = (given: Redacted.Redacted) => PasswordHasher.use((one) => one.verify(given, Option.some(stored)))
        assert.isTrue(yield* verify(secret).pipe(use(verifying)))
        assert.isFalse(yield* verify(Redacted.make("another")).pipe(use(verifying)))
      }
    }))

  it.live("without both, the start fails with one sentence", () =>
    Effect.gen(function*() {
      const missing = () => Promise.reject(Object.assign(new Error(), { code: "ERR_MODULE_NOT_FOUND" }))
      const exit = yield* Effect.exit(argon2Engine(unsupported, missing))
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(error, Argon2Missing)
      assert.strictEqual(
        error.message,
        "This runtime has no Argon2, which hashes passwords: install @node-rs/argon2, or use Node.js 24.7 or newer."
      )
    }))
})
