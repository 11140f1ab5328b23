// Two changes with different errors have one type here.
// @effect-diagnostics anyUnknownInErrorContext:off
import { type SigningKey, SigningKeyRepository } from "@lastro/domain/identity"
import { retireSigningKey, revokeSigningKey } from "@lastro/domain/operator"
import { type UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, Fiber } from "effect"
import { exampleInstant, freshId } from "../../builders/Fresh.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { later } from "../suite/storedRecords.ts"
import { atomically, holdOpen } from "../suite/transactions.ts"

const aKey: Effect.Effect<SigningKey> = Effect.map(freshId, (kid) => ({
  kid,
  private_jwk: JSON.stringify({ kty: "EC", crv: "P-256", x: "eA", y: "eQ", d: "ZA", kid }),
  created_at: exampleInstant,
  retired_at: null
}))

const insert = (key: SigningKey, onlyIfEmpty: boolean) =>
  SigningKeyRepository.use((keys) => keys.insert(key, { onlyIfEmpty }))

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

  it("T53 `remove` deletes this key only", function*() {
    const [one, other] = [yield* aKey, yield* aKey]
    yield* insert(one, false)
    yield* insert(other, false)
    yield* (yield* SigningKeyRepository).remove(one.kid)
    assert.deepStrictEqual(yield* readKeys(one, other), [[], [other]])
  })

  for (const name of ["revoked", "retired"] as const) {
    it(`KEY-03 KEY-04 a live key remains if one of two is revoked while the other is being ${name}`, function*() {
      const repository = yield* SigningKeyRepository
      for (const { kid } of yield* repository.all) yield* repository.retire(kid, later)
      const [one, other, spare] = [yield* aKey, yield* aKey, yield* aKey]
      yield* insert(one, false)
      yield* insert(other, false)
      const change: Effect.Effect<unknown, unknown, SigningKeyRepository | UnitOfWork> = name === "revoked"
        ? revokeSigningKey(one.kid, Effect.succeed(spare))
        : retireSigningKey(one.kid)
      const held = yield* holdOpen(change)
      const second = yield* Effect.forkChild(revokeSigningKey(other.kid, Effect.succeed(spare)))
      // Without the lock, the second change would end before the first one commits, and no live key would remain.
      yield* Effect.timeoutOption(Fiber.await(second), "200 millis")
      yield* held.release
      assert.deepStrictEqual(yield* Fiber.join(second), spare)
      const live = (yield* repository.all).filter(({ retired_at }) => retired_at === null)
      assert.deepStrictEqual(live, [spare])
    })
  }

  it("`lock` blocks every other `lock` until its transaction ends", function*() {
    const { lock } = yield* SigningKeyRepository
    const order: Array<string> = []
    const held = yield* holdOpen(lock, Effect.sync(() => order.push("first")))
    const next = yield* Effect.forkChild(atomically(Effect.map(lock, () => order.push("next"))))
    yield* Effect.timeoutOption(Fiber.await(next), "200 millis")
    yield* held.release
    yield* Fiber.join(next)
    assert.deepStrictEqual(order, ["first", "next"])
  })

  it("T53 `retire` sets retired_at of this key only, and keeps the key", function*() {
    const [one, other] = [yield* aKey, yield* aKey]
    yield* insert(one, false)
    yield* insert(other, false)
    yield* (yield* SigningKeyRepository).retire(one.kid, later)
    assert.deepStrictEqual(yield* readKeys(one, other), [[{ ...one, retired_at: later }], [other]])
  })
}
