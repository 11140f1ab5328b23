import { type PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { aPartner } from "../../builders/aPartner.ts"
import { storeRootPartner } from "../../builders/storedRecords.ts"
import { insertRoot, isStored, readName, renamePartner } from "../hierarchy/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

class Refused {
  readonly _tag = "Refused"
}

/** Contract cases for UnitOfWork. */
export const unitOfWorkCases: ContractCases<PartnerRepository | UnitOfWork> = (it, { units }) => {
  it("`atomically` commits all writes of a successful effect and returns its value", function*() {
    const unit = yield* UnitOfWork
    const [one, other] = [yield* aPartner(), yield* aPartner()]
    const value = yield* unit.atomically(Effect.as(Effect.andThen(insertRoot(one), insertRoot(other)), "value"))
    assert.strictEqual(value, "value")
    assert.isTrue(yield* isStored(one))
    assert.isTrue(yield* isStored(other))
  })

  it("a unit of work reads its own writes", function*() {
    const partner = yield* aPartner()
    const seen = yield* (yield* UnitOfWork).atomically(Effect.andThen(insertRoot(partner), isStored(partner)))
    assert.isTrue(seen)
  })

  it("`atomically` rolls back every write of an effect that fails, and fails with the same error", function*() {
    const existing = yield* storeRootPartner({ name: "before" })
    const added = yield* aPartner()
    const refusal = new Refused()
    const exit = yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
      yield* renamePartner(existing, "after")
      yield* insertRoot(added)
      return yield* Effect.fail(refusal)
    })))
    assert.deepStrictEqual(exit, Exit.fail(refusal))
    assert.strictEqual(yield* readName(existing), "before")
    assert.isFalse(yield* isStored(added))
  })

  it("`atomically` rolls back every write of an effect that dies, and dies with the same defect", function*() {
    const added = yield* aPartner()
    const exit = yield* Effect.exit(
      (yield* UnitOfWork).atomically(Effect.andThen(insertRoot(added), Effect.die("defect")))
    )
    assert.deepStrictEqual(exit, Exit.die("defect"))
    assert.isFalse(yield* isStored(added))
  })

  it("`atomically` rolls back an interrupted effect and does not block the next unit of work", function*() {
    const unit = yield* UnitOfWork
    const added = yield* aPartner()
    const written = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(unit.atomically(Effect.gen(function*() {
      yield* insertRoot(added)
      yield* Deferred.succeed(written, undefined)
      return yield* Effect.never
    })))
    yield* Deferred.await(written)
    yield* Fiber.interrupt(fiber)
    const exit = yield* Fiber.await(fiber)
    assert.isTrue(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause))
    assert.isFalse(yield* isStored(added))
    yield* unit.atomically(insertRoot(added))
    assert.isTrue(yield* isStored(added))
  })

  it("writes of a unit of work that rolls back are never visible outside the unit", function*() {
    const unit = yield* UnitOfWork
    const existing = yield* storeRootPartner({ name: "before" })
    const added = yield* aPartner()
    const written = yield* Deferred.make<void>()
    const end = yield* Deferred.make<void>()
    const writer = yield* Effect.forkChild(Effect.exit(unit.atomically(Effect.gen(function*() {
      yield* renamePartner(existing, "after")
      yield* insertRoot(added)
      yield* Deferred.succeed(written, undefined)
      yield* Deferred.await(end)
      return yield* Effect.fail(new Refused())
    }))))
    yield* Deferred.await(written)
    const reader = yield* Effect.forkChild(Effect.all([readName(existing), isStored(added)]))
    // An adapter that runs one unit of work at a time may block the reader until the writer ends.
    if (units === "concurrent") yield* Fiber.await(reader)
    else yield* Effect.sleep("20 millis")
    yield* Deferred.succeed(end, undefined)
    assert.deepStrictEqual(yield* Fiber.join(reader), ["before", false])
    yield* Fiber.join(writer)
  })

  it("a unit of work that fails does not roll back concurrent units", function*() {
    const unit = yield* UnitOfWork
    const partners = yield* Effect.all(Array.from({ length: 12 }, () => aPartner()))
    yield* Effect.forEach(
      partners,
      (partner, index) =>
        Effect.exit(unit.atomically(Effect.gen(function*() {
          yield* insertRoot(partner)
          yield* Effect.yieldNow
          if (index % 3 === 0) return yield* Effect.fail(new Refused())
          yield* renamePartner(partner, `kept ${index}`)
        }))),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      yield* Effect.forEach(partners, readName),
      partners.map((_, index) => index % 3 === 0 ? "NotFound" : `kept ${index}`)
    )
  })

  it("a write outside any unit of work survives the rollback of a concurrent unit", function*() {
    const unit = yield* UnitOfWork
    const [inside, outside] = [yield* aPartner(), yield* aPartner()]
    const written = yield* Deferred.make<void>()
    const end = yield* Deferred.make<void>()
    const rolledBack = yield* Effect.forkChild(Effect.exit(unit.atomically(Effect.gen(function*() {
      yield* insertRoot(inside)
      yield* Deferred.succeed(written, undefined)
      yield* Deferred.await(end)
      return yield* Effect.fail(new Refused())
    }))))
    yield* Deferred.await(written)
    const beside = yield* Effect.forkChild(insertRoot(outside))
    yield* Deferred.succeed(end, undefined)
    yield* Fiber.join(beside)
    yield* Fiber.join(rolledBack)
    assert.isFalse(yield* isStored(inside))
    assert.isTrue(yield* isStored(outside))
  })
}
