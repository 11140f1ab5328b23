import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { aPartner } from "../../builders/aPartner.ts"
import { storeChildPartner, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { insertRoot, isStored, readName, renamePartner } from "../suite/storedRecords.ts"
import { atomically, holdOpen } from "../suite/transactions.ts"

class Refused {
  readonly _tag = "Refused"
}

/** Contract cases for UnitOfWork. */
export const unitOfWorkCases: ContractCases<PartnerRepository | UnitOfWork> = (it, { units }) => {
  it("`atomically` commits all writes of a successful effect and returns its value", function*() {
    const [first, second] = [yield* aPartner(), yield* aPartner()]
    const value = yield* atomically(Effect.as(Effect.andThen(insertRoot(first), insertRoot(second)), "value"))
    assert.strictEqual(value, "value")
    assert.isTrue(yield* isStored(first))
    assert.isTrue(yield* isStored(second))
  })

  it("a unit of work reads its own writes", function*() {
    const partner = yield* aPartner()
    const seen = yield* atomically(Effect.andThen(insertRoot(partner), isStored(partner)))
    assert.isTrue(seen)
  })

  it("`atomically` rolls back every write of an effect that fails, and fails with the same error", function*() {
    const existing = yield* storeRootPartner({ name: "before" })
    const added = yield* aPartner()
    const refusal = new Refused()
    const exit = yield* Effect.exit(atomically(Effect.gen(function*() {
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
    const exit = yield* Effect.exit(atomically(Effect.andThen(insertRoot(added), Effect.die("defect"))))
    assert.deepStrictEqual(exit, Exit.die("defect"))
    assert.isFalse(yield* isStored(added))
  })

  it("`atomically` rolls back an interrupted effect and does not block the next unit of work", function*() {
    const added = yield* aPartner()
    const written = yield* Deferred.make<void>()
    const fiber = yield* Effect.forkChild(atomically(Effect.gen(function*() {
      yield* insertRoot(added)
      yield* Deferred.succeed(written, undefined)
      return yield* Effect.never
    })))
    yield* Deferred.await(written)
    yield* Fiber.interrupt(fiber)
    const exit = yield* Fiber.await(fiber)
    assert.isTrue(Exit.isFailure(exit) && Cause.hasInterrupts(exit.cause))
    assert.isFalse(yield* isStored(added))
    yield* atomically(insertRoot(added))
    assert.isTrue(yield* isStored(added))
  })

  it("writes of a unit of work that rolls back are never visible outside the unit", function*() {
    const existing = yield* storeRootPartner({ name: "before" })
    const added = yield* aPartner()
    const write = Effect.andThen(renamePartner(existing, "after"), insertRoot(added))
    const writer = yield* holdOpen(write, Effect.fail(new Refused()))
    const reader = yield* Effect.forkChild(Effect.all([readName(existing), isStored(added)]))
    // An adapter that runs one unit of work at a time can block the reader until the writer ends.
    if (units === "concurrent") yield* Fiber.await(reader)
    else yield* Effect.sleep("20 millis")
    yield* Effect.exit(writer.release)
    assert.deepStrictEqual(yield* Fiber.join(reader), ["before", false])
  })

  it("a unit of work that fails does not roll back concurrent units", function*() {
    const partners = yield* Effect.all(Array.from({ length: 12 }, () => aPartner()))
    yield* Effect.forEach(
      partners,
      (partner, index) =>
        Effect.exit(atomically(Effect.gen(function*() {
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
    const [inside, outside] = [yield* aPartner(), yield* aPartner()]
    const failing = yield* holdOpen(insertRoot(inside), Effect.fail(new Refused()))
    const insertion = yield* Effect.forkChild(insertRoot(outside))
    yield* Effect.exit(failing.release)
    yield* Fiber.join(insertion)
    assert.isFalse(yield* isStored(inside))
    assert.isTrue(yield* isStored(outside))
  })
}

/** Contract cases for UnitOfWork: nested units of work. */
export const nestedUnitCases: ContractCases<PartnerRepository | UnitOfWork> = (it) => {
  it("a nested unit of work is part of the outer unit and rolls back with it", function*() {
    const [outer, inner] = [yield* aPartner(), yield* aPartner()]
    yield* Effect.exit(atomically(Effect.gen(function*() {
      yield* insertRoot(outer)
      yield* atomically(insertRoot(inner))
      return yield* Effect.fail(new Refused())
    })))
    assert.isFalse(yield* isStored(outer))
    assert.isFalse(yield* isStored(inner))
  })

  it("an effect that another fiber runs with the context of a unit of work joins the unit", function*() {
    const [outer, inner] = [yield* aPartner(), yield* aPartner()]
    yield* Effect.exit(atomically(Effect.gen(function*() {
      const context = yield* Effect.context<PartnerRepository | UnitOfWork>()
      yield* insertRoot(outer)
      const joined = atomically(Effect.andThen(insertRoot(inner), isStored(outer)))
      assert.isTrue(yield* Effect.promise(() => Effect.runPromiseWith(context)(joined)))
      return yield* Effect.fail(new Refused())
    })))
    assert.isFalse(yield* isStored(outer))
    assert.isFalse(yield* isStored(inner))
  })

  it("`isOpen` is true inside a unit of work and its nested units, and false outside", function*() {
    const { atomically, isOpen } = yield* UnitOfWork
    const inside = yield* atomically(Effect.all([isOpen, atomically(isOpen), isOpen]))
    assert.deepStrictEqual(inside, [true, true, true])
    assert.isFalse(yield* isOpen)
    yield* Effect.exit(atomically(Effect.fail(new Refused())))
    assert.isFalse(yield* isOpen)
  })

  it("a nested unit of work reads the writes of the outer unit, and the outer unit reads those of the nested unit", function*() {
    const root = { ...(yield* aPartner()), name: "0" }
    const seen = yield* atomically(Effect.gen(function*() {
      yield* insertRoot(root)
      const inside = yield* atomically(Effect.tap(readName(root), () => renamePartner(root, "1")))
      return [inside, yield* readName(root)]
    }))
    assert.deepStrictEqual(seen, ["0", "1"])
    assert.strictEqual(yield* readName(root), "1")
  })

  it("a nested unit of work that fails rolls back alone, and the outer unit continues", function*() {
    const [before, inner, after] = [yield* aPartner({ name: "outer" }), yield* aPartner(), yield* aPartner()]
    const failing = Effect.gen(function*() {
      yield* renamePartner(before, "inner")
      yield* insertRoot(inner)
      return yield* Effect.fail(new Refused())
    })
    yield* atomically(Effect.gen(function*() {
      yield* insertRoot(before)
      yield* Effect.exit(atomically(failing))
      assert.strictEqual(yield* readName(before), "outer")
      yield* insertRoot(after)
    }))
    assert.strictEqual(yield* readName(before), "outer")
    assert.isFalse(yield* isStored(inner))
    assert.isTrue(yield* isStored(after))
  })

  it("after a failed write in a nested unit of work, the outer unit is still usable", function*() {
    const repository = yield* PartnerRepository
    const [root, child] = yield* storeForest([null, 0])
    const twin = yield* aPartner({ parent_id: root.partner_id, document_number: child.document_number })
    const next = yield* atomically(Effect.gen(function*() {
      yield* Effect.flip(atomically(repository.insert(asOperator.inScope(root.partner_id), twin)))
      return yield* storeChildPartner(root)
    }))
    assert.isTrue(yield* isStored(next))
    assert.isFalse(yield* isStored(twin))
  })
}
