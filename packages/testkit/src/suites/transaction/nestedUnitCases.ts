import { asOperator } from "@lastro/domain/hierarchy"
import { PartnerRepository } from "@lastro/domain/partner"
import { UnitOfWork } from "@lastro/domain/ports"
import { assert } from "chai"
import { Effect, Exit } from "effect"
import { aPartner } from "../../builders/aPartner.ts"
import { storeChildPartner, storeForest } from "../../builders/storedRecords.ts"
import { insertRoot, isStored, readName, renamePartner } from "../hierarchy/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

class Refused {
  readonly _tag = "Refused"
}

/** Contract cases for UnitOfWork: nested units of work. */
export const nestedUnitCases: ContractCases<PartnerRepository | UnitOfWork> = (it) => {
  it("a nested unit of work is part of the outer unit and rolls back with it", function*() {
    const unit = yield* UnitOfWork
    const [outer, inner] = [yield* aPartner(), yield* aPartner()]
    yield* Effect.exit(unit.atomically(Effect.gen(function*() {
      yield* insertRoot(outer)
      yield* unit.atomically(insertRoot(inner))
      return yield* Effect.fail(new Refused())
    })))
    assert.isFalse(yield* isStored(outer))
    assert.isFalse(yield* isStored(inner))
  })

  it("an effect that another fiber runs with the context of a unit of work joins the unit", function*() {
    const unit = yield* UnitOfWork
    const [outer, inner] = [yield* aPartner(), yield* aPartner()]
    yield* Effect.exit(unit.atomically(Effect.gen(function*() {
      const context = yield* Effect.context<PartnerRepository>()
      yield* insertRoot(outer)
      const joined = unit.atomically(Effect.andThen(insertRoot(inner), isStored(outer)))
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
    const unit = yield* UnitOfWork
    const root = { ...(yield* aPartner()), name: "0" }
    const seen = yield* unit.atomically(Effect.gen(function*() {
      yield* insertRoot(root)
      const inside = yield* unit.atomically(Effect.tap(readName(root), () => renamePartner(root, "1")))
      return [inside, yield* readName(root)]
    }))
    assert.deepStrictEqual(seen, ["0", "1"])
    assert.strictEqual(yield* readName(root), "1")
  })

  it("a nested unit of work that fails rolls back alone, and the outer unit continues", function*() {
    const unit = yield* UnitOfWork
    const [before, inner, after] = [yield* aPartner({ name: "outer" }), yield* aPartner(), yield* aPartner()]
    const failing = Effect.gen(function*() {
      yield* renamePartner(before, "inner")
      yield* insertRoot(inner)
      return yield* Effect.fail(new Refused())
    })
    yield* unit.atomically(Effect.gen(function*() {
      yield* insertRoot(before)
      yield* Effect.exit(unit.atomically(failing))
      assert.strictEqual(yield* readName(before), "outer")
      yield* insertRoot(after)
    }))
    assert.strictEqual(yield* readName(before), "outer")
    assert.isFalse(yield* isStored(inner))
    assert.isTrue(yield* isStored(after))
  })

  it("after a failed write in a nested unit of work, the outer unit is still usable", function*() {
    const unit = yield* UnitOfWork
    const repository = yield* PartnerRepository
    const [root, child] = yield* storeForest([null, 0])
    const twin = yield* aPartner({ parent_id: root.partner_id, document_number: child.document_number })
    const next = yield* unit.atomically(Effect.gen(function*() {
      const refused = yield* Effect.exit(
        unit.atomically(repository.insert(asOperator.inScope(root.partner_id), twin))
      )
      assert.isTrue(Exit.isFailure(refused))
      return yield* storeChildPartner(root)
    }))
    assert.isTrue(yield* isStored(next))
    assert.isFalse(yield* isStored(twin))
  })
}
