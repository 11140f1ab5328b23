import { type SigningKey, SigningKeyRepository } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { exampleInstant, freshId } from "../../given/Fresh.ts"
import { later } from "../partner/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

const aKey: Effect.Effect<SigningKey> = Effect.map(freshId, (kid) => ({
  kid,
  private_jwk: JSON.stringify({ kty: "EC", crv: "P-256", x: "eA", y: "eQ", d: "ZA", kid }),
  created_at: exampleInstant,
  retired_at: null
}))

const insert = (key: SigningKey, onlyIfEmpty: boolean) =>
  Effect.gen(function*() {
    yield* (yield* SigningKeyRepository).insert(key, { onlyIfEmpty })
  })

const stored = (...keys: ReadonlyArray<SigningKey>) =>
  Effect.gen(function*() {
    const all = yield* (yield* SigningKeyRepository).all
    return keys.map(({ kid }) => all.filter((key) => key.kid === kid))
  })

/** The contract of SigningKeyRepository. Its first case needs a database that has had no key yet. */
export const signingKeyCases: ContractCases<SigningKeyRepository> = (it) => {
  it("two nodes that start at once on a database without keys agree on one", () =>
    Effect.gen(function*() {
      const repository = yield* SigningKeyRepository
      assert.deepStrictEqual(yield* repository.all, [])
      const keys = yield* Effect.all(Array.from({ length: 4 }, () => aKey))
      yield* Effect.forEach(keys, (key) => insert(key, true), { concurrency: "unbounded" })
      const all = yield* repository.all
      assert.strictEqual(all.length, 1)
      assert.deepInclude(keys, all[0])
    }))

  it("all gives every key as it was inserted", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* aKey, { ...(yield* aKey), retired_at: later }]
      yield* insert(one, false)
      yield* insert(other, false)
      assert.deepStrictEqual(yield* stored(one, other), [[one], [other]])
    }))

  it("insert adds nothing when onlyIfEmpty is set and there is a key already, even if all are retired", () =>
    Effect.gen(function*() {
      const repository = yield* SigningKeyRepository
      const [one, other] = [yield* aKey, yield* aKey]
      yield* insert(one, false)
      for (const { kid } of yield* repository.all) yield* repository.retire(kid, later)
      yield* insert(other, true)
      assert.deepStrictEqual(yield* stored(other), [[]])
    }))

  it("T53 retire ends a key's signing, of this key alone, and the key stays", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* aKey, yield* aKey]
      yield* insert(one, false)
      yield* insert(other, false)
      yield* (yield* SigningKeyRepository).retire(one.kid, later)
      assert.deepStrictEqual(yield* stored(one, other), [[{ ...one, retired_at: later }], [other]])
    }))
}
