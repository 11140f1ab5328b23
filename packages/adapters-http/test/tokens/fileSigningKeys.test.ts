import { assert, describe, it } from "@effect/vitest"
import { currentTimestamp } from "@lastro/domain/time"
import { SigningKeyRepository } from "@lastro/domain/token"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { generateKeyPairSync } from "node:crypto"
import { layerFileSigningKeys } from "../../src/tokens/fileSigningKeys.ts"
import { KeyRing, layerKeyRing } from "../../src/tokens/KeyRing.ts"
import { generateSigningKey } from "../../src/tokens/signingKeys.ts"

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
