import { type SigningKey, SigningKeyRepository } from "@lastro/domain/identity"
import { assert } from "chai"
import { Effect } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { later } from "../hierarchy/storedPartner.ts"
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

const readKeys = (...keys: ReadonlyArray<SigningKey>) =>
  Effect.gen(function*() {
    const all = yield* (yield* SigningKeyRepository).all
    return keys.map(({ kid }) => all.filter((key) => key.kid === kid))
  })

/** Contract cases for SigningKeyRepository. The first case requires a database without keys. */
export const signingKeyCases: ContractCases<SigningKeyRepository> = (it) => {
  it("of concurrent inserts with `onlyIfEmpty` into an empty database, exactly one stores its key", function*() {
    const repository = yield* SigningKeyRepository
    assert.deepStrictEqual(yield* repository.all, [])
    const keys = yield* Effect.all(Array.from({ length: 4 }, () => aKey))
    yield* Effect.forEach(keys, (key) => insert(key, true), { concurrency: "unbounded" })
    const all = yield* repository.all
    assert.strictEqual(all.length, 1)
    assert.deepInclude(keys, all[0])
  })

  it("`all` returns every key as inserted", function*() {
    const [one, other] = [yield* aKey, { ...(yield* aKey), retired_at: later }]
    yield* insert(one, false)
    yield* insert(other, false)
    assert.deepStrictEqual(yield* readKeys(one, other), [[one], [other]])
  })

  it("`insert` with `onlyIfEmpty` stores nothing if any key exists, retired or not", function*() {
    const repository = yield* SigningKeyRepository
    const [one, other] = [yield* aKey, yield* aKey]
    yield* insert(one, false)
    for (const { kid } of yield* repository.all) yield* repository.retire(kid, later)
    yield* insert(other, true)
    assert.deepStrictEqual(yield* readKeys(other), [[]])
  })

  it("T53 `retire` sets retired_at of this key only, and keeps the key", function*() {
    const [one, other] = [yield* aKey, yield* aKey]
    yield* insert(one, false)
    yield* insert(other, false)
    yield* (yield* SigningKeyRepository).retire(one.kid, later)
    assert.deepStrictEqual(yield* readKeys(one, other), [[{ ...one, retired_at: later }], [other]])
  })
}
