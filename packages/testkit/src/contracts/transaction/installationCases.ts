import { Installation, type PartnerRepository, UnitOfWork } from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { givenRoot } from "../../given/storedRecords.ts"
import { removePartner } from "../partner/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

/** The contract of Installation. It needs a database that has had no partner yet; its cases build on each other. */
export const installationCases: ContractCases<Installation | PartnerRepository | UnitOfWork> = (it) => {
  it("isEmpty holds while there is no partner at all yet", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* (yield* Installation).isEmpty)
    }))

  it("a partner whose transaction was undone leaves the database empty", () =>
    Effect.gen(function*() {
      const installation = yield* Installation
      const unit = yield* UnitOfWork
      const seen: Array<boolean> = []
      yield* Effect.exit(unit.atomically(Effect.gen(function*() {
        yield* givenRoot()
        seen.push(yield* installation.isEmpty)
        return yield* Effect.die("undone")
      })))
      assert.deepStrictEqual(seen, [false])
      assert.isTrue(yield* installation.isEmpty)
    }))

  it("a database whose every partner was removed is not empty", () =>
    Effect.gen(function*() {
      const installation = yield* Installation
      const unit = yield* UnitOfWork
      const seen: Array<boolean> = []
      yield* Effect.exit(unit.atomically(Effect.gen(function*() {
        yield* removePartner(yield* givenRoot())
        seen.push(yield* installation.isEmpty)
        return yield* Effect.die("undone")
      })))
      assert.deepStrictEqual(seen, [false])
    }))

  it("inside a transaction everybody else who asks waits until it ends: nodes that start at once fill it once", () =>
    Effect.gen(function*() {
      const installation = yield* Installation
      const unit = yield* UnitOfWork
      const start = unit.atomically(Effect.gen(function*() {
        const empty = yield* installation.isEmpty
        yield* Effect.yieldNow
        if (empty) yield* givenRoot()
        return empty
      }))
      const filled = yield* Effect.all(Array.from({ length: 4 }, () => start), { concurrency: "unbounded" })
      assert.strictEqual(filled.filter((empty) => empty).length, 1)
      assert.isFalse(yield* installation.isEmpty)
    }))
}
