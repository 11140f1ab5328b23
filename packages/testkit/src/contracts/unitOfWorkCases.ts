import { assert } from "@effect/vitest"
import { asOperator, type PartnerDetail, PartnerRepository, UnitOfWork } from "@lastro/domain"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { aPartner } from "../given/aPartner.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenChild, givenRoot } from "../given/givenPartner.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { judged, opened, scopeOfPartner } from "./read.ts"

const isThere = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return judged(yield* (yield* PartnerRepository).find(scopeOfPartner(partner), partner.partner_id)) !== "NotFound"
  })

const insertRoot = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    yield* Effect.orDie((yield* PartnerRepository).insertRoot(asOperator.inScope(partner)))
  })

const rename = (partner: PartnerDetail, name: string) =>
  Effect.gen(function*() {
    const repository = yield* PartnerRepository
    const before = yield* opened(repository.findForUpdate(scopeOfPartner(partner), partner.partner_id))
    yield* repository.update(before, { ...before.record, name })
  })

const nameOf = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    const found = judged(yield* (yield* PartnerRepository).find(scopeOfPartner(partner), partner.partner_id))
    return typeof found === "string" ? found : found.name
  })

class Refused {
  readonly _tag = "Refused"
}

/** The contract of UnitOfWork. */
export const unitOfWorkCases: ContractCases<PartnerRepository | UnitOfWork> = (it, { units }) => {
  it.effect("when the effect succeeds all of its writes happen and its value is returned", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const [one, other] = [yield* aPartner(), yield* aPartner()]
      const value = yield* unit.atomically(Effect.as(Effect.andThen(insertRoot(one), insertRoot(other)), "value"))
      assert.strictEqual(value, "value")
      assert.isTrue(yield* isThere(one))
      assert.isTrue(yield* isThere(other))
    }))

  it.effect("inside a unit its own writes are seen", () =>
    Effect.gen(function*() {
      const partner = yield* aPartner()
      const seen = yield* (yield* UnitOfWork).atomically(Effect.andThen(insertRoot(partner), isThere(partner)))
      assert.isTrue(seen)
    }))

  it.effect("when the effect fails none of its writes happen and its error comes out", () =>
    Effect.gen(function*() {
      const existing = yield* givenRoot({ name: "before" })
      const added = yield* aPartner()
      const refusal = new Refused()
      const exit = yield* Effect.exit((yield* UnitOfWork).atomically(Effect.gen(function*() {
        yield* rename(existing, "after")
        yield* insertRoot(added)
        return yield* Effect.fail(refusal)
      })))
      assert.deepStrictEqual(exit, Exit.fail(refusal))
      assert.strictEqual(yield* nameOf(existing), "before")
      assert.isFalse(yield* isThere(added))
    }))

  it.effect("when the effect dies none of its writes happen and the defect comes out", () =>
    Effect.gen(function*() {
      const added = yield* aPartner()
      const exit = yield* Effect.exit(
        (yield* UnitOfWork).atomically(Effect.andThen(insertRoot(added), Effect.die("defect")))
      )
      assert.deepStrictEqual(exit, Exit.die("defect"))
      assert.isFalse(yield* isThere(added))
    }))

  it.effect("when the effect is interrupted none of its writes happen, and the next unit is not kept waiting", () =>
    Effect.gen(function*() {
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
      assert.isFalse(yield* isThere(added))
      yield* unit.atomically(insertRoot(added))
      assert.isTrue(yield* isThere(added))
    }))

  it.effect("an inner unit joins the outer one: it is undone with it", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const [outer, inner] = [yield* aPartner(), yield* aPartner()]
      yield* Effect.exit(unit.atomically(Effect.gen(function*() {
        yield* insertRoot(outer)
        yield* unit.atomically(insertRoot(inner))
        return yield* Effect.fail(new Refused())
      })))
      assert.isFalse(yield* isThere(outer))
      assert.isFalse(yield* isThere(inner))
    }))

  it.effect("an inner unit sees what the outer one wrote, and the outer one what the inner one wrote", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const root = yield* aPartner({ name: "0" })
      const seen = yield* unit.atomically(Effect.gen(function*() {
        yield* insertRoot(root)
        const inside = yield* unit.atomically(Effect.tap(nameOf(root), () => rename(root, "1")))
        return [inside, yield* nameOf(root)]
      }))
      assert.deepStrictEqual(seen, ["0", "1"])
      assert.strictEqual(yield* nameOf(root), "1")
    }))

  it.effect("what an inner unit wrote is undone alone when it fails, and the outer one goes on", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const [before, inner, after] = [yield* aPartner({ name: "outer" }), yield* aPartner(), yield* aPartner()]
      const failing = Effect.gen(function*() {
        yield* rename(before, "inner")
        yield* insertRoot(inner)
        return yield* Effect.fail(new Refused())
      })
      yield* unit.atomically(Effect.gen(function*() {
        yield* insertRoot(before)
        yield* Effect.exit(unit.atomically(failing))
        assert.strictEqual(yield* nameOf(before), "outer")
        yield* insertRoot(after)
      }))
      assert.strictEqual(yield* nameOf(before), "outer")
      assert.isFalse(yield* isThere(inner))
      assert.isTrue(yield* isThere(after))
    }))

  it.effect("a write that is refused inside a unit leaves the unit usable when it was a unit of its own", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const repository = yield* PartnerRepository
      const [root, child] = yield* givenForest([null, 0])
      const twin = yield* aPartner({ parent_id: root.partner_id, document_number: child.document_number })
      const next = yield* unit.atomically(Effect.gen(function*() {
        const refused = yield* Effect.exit(
          unit.atomically(repository.insert(asOperator.inScope(root.partner_id), twin))
        )
        assert.isTrue(Exit.isFailure(refused))
        return yield* givenChild(root)
      }))
      assert.isTrue(yield* isThere(next))
      assert.isFalse(yield* isThere(twin))
    }))

  it.effect("nobody else sees what a unit wrote that is undone in the end", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const existing = yield* givenRoot({ name: "before" })
      const added = yield* aPartner()
      const written = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(Effect.exit(unit.atomically(Effect.gen(function*() {
        yield* rename(existing, "after")
        yield* insertRoot(added)
        yield* Deferred.succeed(written, undefined)
        yield* Deferred.await(end)
        return yield* Effect.fail(new Refused())
      }))))
      yield* Deferred.await(written)
      const reader = yield* Effect.forkChild(Effect.all([nameOf(existing), isThere(added)]))
      // An adapter that runs one unit at a time may keep the reader waiting for the writer.
      if (units === "concurrent") yield* Fiber.await(reader)
      else yield* Effect.sleep("20 millis")
      yield* Deferred.succeed(end, undefined)
      assert.deepStrictEqual(yield* Fiber.join(reader), ["before", false])
      yield* Fiber.join(writer)
    }))

  it.effect("one unit that fails undoes nothing of those beside it", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const partners = yield* Effect.all(Array.from({ length: 12 }, () => aPartner()))
      yield* Effect.forEach(
        partners,
        (partner, index) =>
          Effect.exit(unit.atomically(Effect.gen(function*() {
            yield* insertRoot(partner)
            yield* Effect.yieldNow
            if (index % 3 === 0) return yield* Effect.fail(new Refused())
            yield* rename(partner, `kept ${index}`)
          }))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        yield* Effect.forEach(partners, nameOf),
        partners.map((_, index) => index % 3 === 0 ? "NotFound" : `kept ${index}`)
      )
    }))

  it.effect("a write outside any unit is kept although a unit beside it is undone", () =>
    Effect.gen(function*() {
      const unit = yield* UnitOfWork
      const [inside, outside] = [yield* aPartner(), yield* aPartner()]
      const written = yield* Deferred.make<void>()
      const end = yield* Deferred.make<void>()
      const undone = yield* Effect.forkChild(Effect.exit(unit.atomically(Effect.gen(function*() {
        yield* insertRoot(inside)
        yield* Deferred.succeed(written, undefined)
        yield* Deferred.await(end)
        return yield* Effect.fail(new Refused())
      }))))
      yield* Deferred.await(written)
      const beside = yield* Effect.forkChild(insertRoot(outside))
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(beside)
      yield* Fiber.join(undone)
      assert.isFalse(yield* isThere(inside))
      assert.isTrue(yield* isThere(outside))
    }))
}
