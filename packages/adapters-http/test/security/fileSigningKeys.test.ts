import { assert, describe, it } from "@effect/vitest"
import { SigningKeyRepository } from "@lastro/domain/identity"
import { currentTimestamp } from "@lastro/domain/values"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync } from "node:crypto"
import { layerFileSigningKeys } from "../../src/security/fileSigningKeys.ts"
import { generateSigningKey, KeyRing, layerKeyRing } from "../../src/security/KeyRing.ts"

const jwk = (fields: object = {}) => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  ...fields
})

const ringOf = (set: unknown) =>
  Layer.provideMerge(layerKeyRing, layerFileSigningKeys(typeof set === "string" ? set : JSON.stringify(set)))

describe("layerFileSigningKeys", () => {
  it.effect("signs with the first key and publishes all", () =>
    Effect.gen(function*() {
      const ring = yield* KeyRing
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* ring.signing).record.kid, "first")
      assert.sameMembers((yield* ring.published).map(({ kid }) => kid), ["first", "second", "third"])
    }).pipe(
      Effect.provide(
        ringOf({ keys: ["first", "second", "third"].map((kid) => jwk({ kid, use: "sig", alg: "ES256" })) })
      )
    ))

  it.effect("uses the thumbprint as the id of a key without one", () =>
    Effect.gen(function*() {
      const { record } = yield* (yield* KeyRing).signing
      assert.match(record.kid, /^[A-Za-z0-9_-]{43}$/)
    }).pipe(Effect.provide(ringOf({ keys: [jwk()] }))))

  it.effect("refuses to insert or retire keys", () =>
    Effect.gen(function*() {
      const keys = yield* SigningKeyRepository
      const added = yield* Effect.exit(keys.insert(yield* generateSigningKey, { onlyIfEmpty: false }))
      assert.isTrue(Exit.hasDies(added))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(keys.retire("first", yield* currentTimestamp))))
    }).pipe(Effect.provide(ringOf({ keys: [jwk({ kid: "first" })] }))))

  const refusals: Readonly<Record<string, readonly [set: unknown, problem: RegExp]>> = {
    "a key for encryption": [{ keys: [jwk(), jwk({ use: "enc" })] }, /key 2 has a "use" other than "sig"/],
    "a `use` that is no text": [{ keys: [jwk({ use: null })] }, /key 1 has a "use"/],
    "a key for another algorithm": [
      { keys: [jwk({ use: "sig", alg: "ES384" })] },
      /key 1 has an "alg" other than "ES256"/
    ],
    "a key for key agreement": [{ keys: [jwk({ alg: "ECDH-ES" })] }, /key 1 has an "alg"/],
    "two keys with one kid": [
      { keys: [jwk({ kid: "a" }), jwk({ kid: "b" }), jwk({ kid: "a" })] },
      /different "kid" for each key: keys 1 and 3 have the same/
    ],
    "one key twice": [{ keys: Array.from({ length: 2 }).fill(jwk()) }, /keys 1 and 2 have the same/],
    "a key pair that does not import": [{ keys: [jwk(), jwk({ d: "AAAA" })] }, /key 2 is not a valid key pair/],
    "no JWK set": ["{}", /must be a JWK set of private ES256 keys$/]
  }
  for (const [name, [set, problem]] of Object.entries(refusals)) {
    it.effect(`refuses ${name} and names the key by its position`, () =>
      Effect.gen(function*() {
        const text = typeof set === "string" ? set : JSON.stringify(set)
        const refused = yield* Effect.flip(Layer.build(layerFileSigningKeys(text)))
        assert.strictEqual(refused._tag, "UnreadableSigningKeys")
        assert.match(refused.problem, problem)
      }).pipe(Effect.scoped))
  }

  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" })
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const unusable: Readonly<Record<string, unknown>> = {
    "no JSON": "keys",
    "no set": [],
    "an empty set": { keys: [] },
    "another curve": { keys: [privateKey.export({ format: "jwk" })] },
    "a public key": { keys: [publicKey.export({ format: "jwk" })] },
    "a broken key": { keys: [jwk({ d: "AAAA" })] }
  }
  for (const [name, set] of Object.entries(unusable)) {
    it.effect(`refuses ${name} without repeating the input`, () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(Layer.build(ringOf(set)))
        assert.isTrue(Exit.isFailure(exit))
        assert.notInclude(String(exit), "AAAA")
      }).pipe(Effect.scoped))
  }
})
