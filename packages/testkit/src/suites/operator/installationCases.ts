import { Installation } from "@lastro/domain/operator"
import { type PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect } from "effect"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { removePartner } from "../suite/storedRecords.ts"
import { atomically, repeatInParallel, rollBack } from "../suite/transactions.ts"

/** Contract cases for Installation. They require an empty database. Each case depends on the cases before it. */
export const installationCases: ContractCases<Installation | PartnerRepository | UnitOfWork> = (it) => {
  it("`isEmpty` is true before the first partner is inserted", function*() {
    assert.isTrue(yield* (yield* Installation).isEmpty)
  })

  it("`isEmpty` stays true when the transaction that inserts the first partner rolls back", function*() {
    const installation = yield* Installation
    const seen: Array<boolean> = []
    yield* rollBack(Effect.gen(function*() {
      yield* storeRootPartner()
      seen.push(yield* installation.isEmpty)
    }))
    assert.deepStrictEqual(seen, [false])
    assert.isTrue(yield* installation.isEmpty)
  })

  it("`isEmpty` is false after every partner was removed", function*() {
    const installation = yield* Installation
    const seen: Array<boolean> = []
    yield* rollBack(Effect.gen(function*() {
      yield* removePartner(yield* storeRootPartner())
      seen.push(yield* installation.isEmpty)
    }))
    assert.deepStrictEqual(seen, [false])
  })

  it("`isEmpty` blocks concurrent readers until the transaction ends, so only one of several starting nodes initializes", function*() {
    const installation = yield* Installation
    const start = atomically(Effect.gen(function*() {
      const empty = yield* installation.isEmpty
      yield* Effect.yieldNow
      if (empty) yield* storeRootPartner()
      return empty
    }))
    const filled = yield* repeatInParallel(4, start)
    assert.strictEqual(filled.filter((empty) => empty).length, 1)
    assert.isFalse(yield* installation.isEmpty)
  })
}
