import { type PartnerId, type PartnerRepository, PartnerTree, UnitOfWork } from "@lastro/domain"
import { assert } from "chai"
import { Deferred, Effect, Fiber, Result } from "effect"
import { givenForest, givenRoot } from "../../given/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

type Mode = "shared" | "exclusive"

/** A unit in a fiber of its own that holds a tree until it is told to end. */
const holding = Effect.fnUntraced(function*(root: { readonly partner_id: PartnerId }, mode: Mode) {
  const tree = yield* PartnerTree
  const unit = yield* UnitOfWork
  const held = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkChild(unit.atomically(Effect.gen(function*() {
    yield* tree.hold(root.partner_id, mode)
    yield* Deferred.succeed(held, undefined)
    yield* Deferred.await(end)
  })))
  yield* Deferred.await(held)
  return { end: Effect.andThen(Deferred.succeed(end, undefined), Fiber.join(fiber)) }
})

/** The contract of PartnerTree's holds. */
export const treeLockCases: ContractCases<PartnerRepository | PartnerTree | UnitOfWork> = (it, { units }) => {
  it("an exclusive hold keeps other holders waiting until its transaction ends", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const unit = yield* UnitOfWork
      const root = yield* givenRoot()
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const order: Array<string> = []
      const first = unit.atomically(Effect.gen(function*() {
        yield* tree.hold(root.partner_id, "exclusive")
        yield* Deferred.succeed(held, undefined)
        yield* Deferred.await(release)
        order.push("first")
      }))
      const next = (mode: "shared" | "exclusive") =>
        unit.atomically(Effect.gen(function*() {
          yield* tree.hold(root.partner_id, mode)
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
    }))

  it("a hold ends with its transaction, whether that is kept or undone", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const unit = yield* UnitOfWork
      const root = yield* givenRoot()
      const hold = tree.hold(root.partner_id, "exclusive")
      yield* unit.atomically(hold)
      yield* Effect.exit(unit.atomically(Effect.andThen(hold, Effect.die("undone"))))
      yield* unit.atomically(hold)
    }))

  it("the same transaction may hold a tree again", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const root = yield* givenRoot()
      yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* tree.hold(root.partner_id, "exclusive")
        yield* tree.hold(root.partner_id, "shared")
        yield* tree.hold(root.partner_id, "exclusive")
      }))
    }))

  if (units === "serialised") return

  it("shared holders hold a tree beside each other", () =>
    Effect.gen(function*() {
      const root = yield* givenRoot()
      const one = yield* holding(root, "shared")
      const other = yield* holding(root, "shared")
      yield* one.end
      yield* other.end
    }))

  it("holds of different trees do not meet", () =>
    Effect.gen(function*() {
      const [root, stranger] = yield* givenForest([null, null])
      const one = yield* holding(root, "exclusive")
      const other = yield* holding(stranger, "exclusive")
      yield* one.end
      yield* other.end
    }))

  const meetings: ReadonlyArray<readonly [Mode, Mode]> = [
    ["exclusive", "exclusive"],
    ["exclusive", "shared"],
    ["shared", "exclusive"]
  ]
  for (const [first, second] of meetings) {
    it(`hold fails as Busy when others hold the tree longer than the adapter waits: ${first} before ${second}`, () =>
      Effect.gen(function*() {
        const tree = yield* PartnerTree
        const root = yield* givenRoot()
        const holder = yield* holding(root, first)
        const refused = yield* Effect.result((yield* UnitOfWork).atomically(tree.hold(root.partner_id, second)))
        assert.strictEqual(Result.isFailure(refused) && refused.failure._tag, "Busy")
        assert.isAtLeast(Result.isFailure(refused) ? refused.failure.retry_after_seconds : 0, 1)
        yield* holder.end
        yield* (yield* UnitOfWork).atomically(tree.hold(root.partner_id, second))
      }))
  }
}
