import { assert } from "@effect/vitest"
import {
  asOperator,
  type PartnerDetail,
  type PartnerId,
  PartnerRepository,
  type Timestamp,
  UnitOfWork,
  UserRepository
} from "@lastro/domain"
import { Effect, Result } from "effect"
import { aPartner } from "../given/aPartner.ts"
import { freshId } from "../given/freshId.ts"
import { givenForest } from "../given/givenForest.ts"
import { givenChild, givenRoot } from "../given/givenPartner.ts"
import { givenUser } from "../given/givenUser.ts"
import { wholePartner } from "../given/wholePartner.ts"
import { type ContractCases } from "./ContractSuite.ts"
import { judged, opened, query, scopeOfPartner } from "./read.ts"

const later = "2026-02-01T00:00:00.000Z" as Timestamp

/** The partner as its own subtree's caller finds it. */
const reread = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return judged(yield* (yield* PartnerRepository).find(scopeOfPartner(partner), partner.partner_id))
  })

const forUpdate = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    return yield* opened((yield* PartnerRepository).findForUpdate(scopeOfPartner(partner), partner.partner_id))
  })

const removed = (partner: PartnerDetail) =>
  Effect.gen(function*() {
    yield* (yield* PartnerRepository).remove(yield* forUpdate(partner), later)
  })

/** The contract of PartnerRepository but for its lists. */
export const partnerRepositoryCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it.effect("find and findForUpdate give the partner with this id, whole, every field as it was inserted", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const root = yield* givenRoot(yield* wholePartner)
      const bare = yield* givenChild(root)
      for (const partner of [root, bare]) {
        assert.deepStrictEqual(yield* reread(partner), partner)
        assert.deepStrictEqual(
          judged(yield* repository.findForUpdate(scopeOfPartner(root), partner.partner_id)),
          partner
        )
      }
    }))

  it.effect("find and findForUpdate find nothing under an id that was never inserted", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const root = yield* givenRoot()
      const unknown = (yield* freshId) as PartnerId
      assert.strictEqual(judged(yield* repository.find(scopeOfPartner(root), unknown)), "NotFound")
      assert.strictEqual(judged(yield* repository.findForUpdate(scopeOfPartner(root), unknown)), "NotFound")
    }))

  it.effect("HIER-01 HIER-02 find and findForUpdate judge itself and what is below as inside, all else as outside", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root, middle, leaf, sibling, stranger] = yield* givenForest([null, 0, 1, 0, null])
      const cases = [
        [root, [root, middle, leaf, sibling], [stranger]],
        [middle, [middle, leaf], [root, sibling, stranger]],
        [leaf, [leaf], [root, middle, sibling, stranger]]
      ] as const
      for (const [caller, inside, outside] of cases) {
        for (const find of [repository.find, repository.findForUpdate]) {
          for (const partner of inside) {
            assert.deepStrictEqual(judged(yield* find(scopeOfPartner(caller), partner.partner_id)), partner)
          }
          for (const partner of outside) {
            assert.strictEqual(judged(yield* find(scopeOfPartner(caller), partner.partner_id)), "OutsideHierarchy")
          }
        }
      }
    }))

  it.effect("no other transaction changes a partner found for update until this one ends", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const unit = yield* UnitOfWork
      const root = yield* givenRoot({ name: "0" })
      const increment = unit.atomically(Effect.gen(function*() {
        const before = yield* forUpdate(root)
        yield* Effect.yieldNow
        yield* repository.update(before, { ...before.record, name: String(Number(before.record.name) + 1) })
      }))
      yield* Effect.all(Array.from({ length: 8 }, () => increment), { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* reread(root), { ...root, name: "8" })
    }))

  it.effect("insert fails when the document is taken under the same root, and adds nothing", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root, child, other] = yield* givenForest([null, 0, 0])
      for (const taken of [root, child]) {
        const twin = yield* aPartner({ parent_id: other.partner_id, document_number: taken.document_number })
        const result = yield* Effect.result(repository.insert(asOperator.inScope(other.partner_id), twin))
        assert.strictEqual(Result.isFailure(result) && result.failure._tag, "DocumentTaken")
        assert.strictEqual(judged(yield* repository.find(scopeOfPartner(root), twin.partner_id)), "NotFound")
      }
    }))

  it.effect("a document that is taken under one root is free under another", () =>
    Effect.gen(function*() {
      const [root, child, stranger] = yield* givenForest([null, 0, null])
      const one = yield* givenChild(stranger, { document_number: child.document_number })
      const two = yield* givenRoot({ document_number: root.document_number })
      assert.deepStrictEqual(yield* reread(one), one)
      assert.deepStrictEqual(yield* reread(two), two)
    }))

  it.effect("of units that insert the same document under one root at once, exactly one succeeds", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const unit = yield* UnitOfWork
      const [root, left, right] = yield* givenForest([null, 0, 0])
      const { document_number } = yield* aPartner()
      const insertBelow = ({ partner_id: parent_id }: PartnerDetail) =>
        Effect.gen(function*() {
          const partner = yield* aPartner({ parent_id, document_number })
          yield* unit.atomically(repository.insert(asOperator.inScope(parent_id), partner))
        })
      const results = yield* Effect.all(
        [root, left, right, left].map((parent) => Effect.result(insertBelow(parent))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(results.map((result) => Result.isFailure(result) ? result.failure._tag : "ok").sort(), [
        "DocumentTaken",
        "DocumentTaken",
        "DocumentTaken",
        "ok"
      ])
    }))

  it.effect("update saves every field but parent_id", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root, child, other] = yield* givenForest([null, 0, 0])
      const whole = yield* wholePartner
      const after = { ...whole, partner_id: child.partner_id, parent_id: other.partner_id }
      yield* repository.update(yield* forUpdate(child), after)
      assert.deepStrictEqual(yield* reread(child), { ...after, parent_id: root.partner_id })
      yield* repository.update(yield* forUpdate(child), { ...after, pix: null, address: null, bank_account: null })
      assert.deepStrictEqual(yield* reread(child), {
        ...after,
        parent_id: root.partner_id,
        pix: null,
        address: null,
        bank_account: null
      })
      assert.deepStrictEqual(yield* reread(other), other)
    }))

  it.effect("remove takes the partner out of every read", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root, child, sibling] = yield* givenForest([null, 0, 0])
      yield* removed(child)
      assert.strictEqual(yield* reread(child), "NotFound")
      assert.strictEqual(
        judged(yield* repository.findForUpdate(scopeOfPartner(root), child.partner_id)),
        "NotFound"
      )
      const { items, total } = yield* repository.list(scopeOfPartner(root), query({}))
      assert.sameMembers(items.map(({ partner_id }) => partner_id), [root.partner_id, sibling.partner_id])
      assert.strictEqual(total, 2)
      assert.strictEqual((yield* repository.dependents(asOperator.inScope(root))).children, 1)
    }))

  it.effect("the document of a removed partner may be used again", () =>
    Effect.gen(function*() {
      const [root, child] = yield* givenForest([null, 0])
      yield* removed(child)
      const next = yield* givenChild(root, { document_number: child.document_number })
      assert.deepStrictEqual(yield* reread(next), next)
    }))

  it.effect("dependents counts direct children and users; deleted ones do not count", () =>
    Effect.gen(function*() {
      const repository = yield* PartnerRepository
      const [root, child, sibling, grandchild] = yield* givenForest([null, 0, 0, 1])
      const user = yield* givenUser(child)
      yield* givenUser(child)
      yield* givenUser(grandchild)
      const dependents = (partner: PartnerDetail) => repository.dependents(asOperator.inScope(partner))
      assert.deepStrictEqual(yield* dependents(root), { children: 2, users: 0, applications: 0 })
      assert.deepStrictEqual(yield* dependents(child), { children: 1, users: 2, applications: 0 })
      assert.deepStrictEqual(yield* dependents(sibling), { children: 0, users: 0, applications: 0 })
      const users = yield* UserRepository
      yield* users.remove(yield* opened(users.findForUpdate(scopeOfPartner(root), user.user_id)), later)
      assert.deepStrictEqual(yield* dependents(child), { children: 1, users: 1, applications: 0 })
      yield* removed(sibling)
      assert.deepStrictEqual(yield* dependents(root), { children: 1, users: 0, applications: 0 })
    }))
}
