import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, UnitOfWork } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { assert } from "chai"
import { Deferred, Effect, Fiber, Result } from "effect"
import { storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

type Mode = "shared" | "exclusive"

/**
 * Locks a tree, and waits until the lock is held. `lock` may return before that, so this function also calls `find`, which waits
 * for the lock.
 */
const holdTree = Effect.fnUntraced(function*(root: PartnerId, mode: Mode) {
  const tree = yield* PartnerTree
  yield* tree.lock(root, mode)
  yield* tree.find(asOperator.scope(root), root)
})

/** Starts a transaction in another fiber. The transaction locks a tree, and holds the lock until `release` runs. */
const forkHolder = Effect.fnUntraced(function*(root: { readonly partner_id: PartnerId }, mode: Mode) {
  const unit = yield* UnitOfWork
  const held = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(unit.atomically(Effect.gen(function*() {
    yield* holdTree(root.partner_id, mode)
    yield* Deferred.succeed(held, undefined)
    yield* Deferred.await(end)
  })))
  yield* Deferred.await(held)
  return { release: Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber)) }
})

/** Contract cases for PartnerTree: locks. */
export const treeLockCases: ContractCases<PartnerRepository | PartnerTree | UnitOfWork> = (it, { units }) => {
  it("`lock` in exclusive mode blocks every other `lock` on the tree until its transaction ends", function*() {
    const unit = yield* UnitOfWork
    const root = yield* storeRootPartner()
    const held = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const order: Array<string> = []
    const first = unit.atomically(Effect.gen(function*() {
      yield* holdTree(root.partner_id, "exclusive")
      yield* Deferred.succeed(held, undefined)
      yield* Deferred.await(release)
      order.push("first")
    }))
    const next = (mode: Mode) =>
      unit.atomically(Effect.gen(function*() {
        yield* holdTree(root.partner_id, mode)
        order.push("next")
      }))
    const holder = yield* Effect.forkChild(first)
    yield* Deferred.await(held)
    const waiting = yield* Effect.forkChild(Effect.all([next("shared"), next("exclusive")], {
      concurrency: "unbounded"
    }))
    yield* Effect.sleep("20 millis")
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(holder)
    yield* Fiber.join(waiting)
    assert.deepStrictEqual(order, ["first", "next", "next"])
  })

  it("a lock is released when its transaction commits or rolls back", function*() {
    const tree = yield* PartnerTree
    const unit = yield* UnitOfWork
    const root = yield* storeRootPartner()
    const hold = tree.lock(root.partner_id, "exclusive")
    yield* unit.atomically(hold)
    yield* Effect.exit(unit.atomically(Effect.andThen(hold, Effect.die("rollback"))))
    yield* unit.atomically(hold)
  })

  it("`lock` is reentrant within a transaction", function*() {
    const tree = yield* PartnerTree
    const root = yield* storeRootPartner()
    yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* tree.lock(root.partner_id, "exclusive")
      yield* tree.lock(root.partner_id, "shared")
      yield* tree.lock(root.partner_id, "exclusive")
    }))
  })

  if (units === "serialised") return

  it("shared locks on a tree do not block each other", function*() {
    const root = yield* storeRootPartner()
    const one = yield* forkHolder(root, "shared")
    const other = yield* forkHolder(root, "shared")
    yield* one.release
    yield* other.release
  })

  it("locks on different trees do not block each other", function*() {
    const [root, stranger] = yield* storeForest([null, null])
    const one = yield* forkHolder(root, "exclusive")
    const other = yield* forkHolder(stranger, "exclusive")
    yield* one.release
    yield* other.release
  })

  const conflicts: ReadonlyArray<readonly [Mode, Mode]> = [
    ["exclusive", "exclusive"],
    ["exclusive", "shared"],
    ["shared", "exclusive"]
  ]
  for (const [first, second] of conflicts) {
    it(`\`lock\` fails with Busy when the lock wait times out: ${second} lock, blocked by ${first} lock`, function*() {
      const tree = yield* PartnerTree
      const root = yield* storeRootPartner()
      const holder = yield* forkHolder(root, first)
      const refused = yield* Effect.result((yield* UnitOfWork).atomically(tree.lock(root.partner_id, second)))
      assert.strictEqual(Result.isFailure(refused) && refused.failure._tag, "Busy")
      assert.isAtLeast(Result.isFailure(refused) ? refused.failure.retry_after_seconds : 0, 1)
      yield* holder.release
      yield* (yield* UnitOfWork).atomically(tree.lock(root.partner_id, second))
    })
  }
}
