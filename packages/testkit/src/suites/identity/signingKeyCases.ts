// Two changes with different errors have one type here.
// @effect-diagnostics anyUnknownInErrorContext:off
import { type SigningKey, SigningKeyRepository } from "@lastro/domain/identity"
import { retireSigningKey, revokeSigningKey } from "@lastro/domain/operator"
import { type UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically, holdOpen, runBehind } from "../suite/transactions.ts"

const aKey: Effect.Effect<SigningKey> = Effect.map(freshId, (kid) => ({
  kid,
  private_jwk: JSON.stringify({ kty: "EC", crv: "P-256", x: "eA", y: "eQ", d: "ZA", kid }),
  created_at: exampleInstant,
  retired_at: null
}))

const insert = (key: SigningKey, onlyIfEmpty: boolean) =>
  SigningKeyRepository.use((keys) => keys.insert(key, { onlyIfEmpty }))

/** Returns, for each key, the stored keys with its id. */
const readKeys = (...keys: ReadonlyArray<SigningKey>) =>
  Effect.gen(function*() {
    const all = yield* (yield* SigningKeyRepository).all
    return keys.map(({ kid }) => all.filter((key) => key.kid === kid))
  })

/** Contract cases for SigningKeyRepository. The first case requires a database without keys. */
export const signingKeyCases: ContractCases<SigningKeyRepository | UnitOfWork> = (it) => {
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
    const [first, second] = [yield* aKey, { ...(yield* aKey), retired_at: later }]
    yield* insert(first, false)
    yield* insert(second, false)
    assert.deepStrictEqual(yield* readKeys(first, second), [[first], [second]])
  })

  it("`insert` with `onlyIfEmpty` stores nothing if any key exists, retired or not", function*() {
    const repository = yield* SigningKeyRepository
    const [first, second] = [yield* aKey, yield* aKey]
    yield* insert(first, false)
    for (const { kid } of yield* repository.all) yield* repository.retire(kid, later)
    yield* insert(second, true)
    assert.deepStrictEqual(yield* readKeys(second), [[]])
  })

  it("T53 `remove` deletes this key only", function*() {
    const [first, second] = [yield* aKey, yield* aKey]
    yield* insert(first, false)
    yield* insert(second, false)
    yield* (yield* SigningKeyRepository).remove(first.kid)
    assert.deepStrictEqual(yield* readKeys(first, second), [[], [second]])
  })

  for (const name of ["revoked", "retired"] as const) {
    it(`KEY-03 KEY-04 a live key remains if one of two is revoked while the other is being ${name}`, function*() {
      const repository = yield* SigningKeyRepository
      for (const { kid } of yield* repository.all) yield* repository.retire(kid, later)
      const [first, second, spare] = [yield* aKey, yield* aKey, yield* aKey]
      yield* insert(first, false)
      yield* insert(second, false)
      const change: Effect.Effect<unknown, unknown, SigningKeyRepository | UnitOfWork> = name === "revoked"
        ? revokeSigningKey(first.kid, Effect.succeed(spare))
        : retireSigningKey(first.kid)
      const held = yield* holdOpen(change)
      assert.deepStrictEqual(yield* runBehind(held, revokeSigningKey(second.kid, Effect.succeed(spare))), spare)
      const live = (yield* repository.all).filter(({ retired_at }) => retired_at === null)
      assert.deepStrictEqual(live, [spare])
    })
  }

  it("`lock` blocks every other `lock` until its transaction ends", function*() {
    const { lock } = yield* SigningKeyRepository
    const order: Array<string> = []
    const held = yield* holdOpen(lock, Effect.sync(() => order.push("first")))
    yield* runBehind(held, atomically(Effect.map(lock, () => order.push("next"))))
    assert.deepStrictEqual(order, ["first", "next"])
  })

  it("T53 `retire` sets retired_at of this key only, and keeps the key", function*() {
    const [first, second] = [yield* aKey, yield* aKey]
    yield* insert(first, false)
    yield* insert(second, false)
    yield* (yield* SigningKeyRepository).retire(first.kid, later)
    assert.deepStrictEqual(yield* readKeys(first, second), [[{ ...first, retired_at: later }], [second]])
  })
}
