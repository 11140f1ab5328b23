import {
  asOperator,
  type PartnerDetail,
  type PartnerId,
  PartnerRepository,
  PartnerTree,
  UnitOfWork
} from "@lastro/domain"
import { assert } from "chai"
import { Effect } from "effect"
import { wholePartner } from "../../given/aPartner.ts"
import { freshId } from "../../given/Fresh.ts"
import { givenChild, givenForest, givenRoot } from "../../given/storedRecords.ts"
import { later, readPartner } from "../partner/storedPartner.ts"

import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { givenScopes, moveIfAcyclic } from "./storedTree.ts"

const parentOf = (root: PartnerDetail, partner: PartnerDetail) =>
  Effect.gen(function*() {
    const found = recordOrRefusal(yield* (yield* PartnerRepository).find(scopeOfPartner(root), partner.partner_id))
    return typeof found === "string" ? found : found.parent_id
  })

const visibleTo = (caller: PartnerDetail) =>
  Effect.gen(function*() {
    const { items } = yield* (yield* PartnerRepository).list(scopeOfPartner(caller), listQuery({}))
    return items.map(({ partner_id }) => partner_id)
  })

const idsOf = (...partners: ReadonlyArray<PartnerDetail>): Array<PartnerId> =>
  partners.map(({ partner_id }) => partner_id)

/** The contract of PartnerTree but for its holds. */
export const partnerTreeCases: ContractCases<PartnerRepository | PartnerTree | UnitOfWork> = (it) => {
  it("HIER-01 HIER-02 find judges itself and what is below as inside, all else as outside", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const { scopes } = yield* givenScopes
      for (const { caller, inside, outside } of scopes) {
        const seen = ({ partner_id }: PartnerDetail) =>
          Effect.map(tree.find(scopeOfPartner(caller), partner_id), recordOrRefusal)
        for (const partner of inside) assert.strictEqual(yield* seen(partner), partner.partner_id)
        for (const partner of outside) assert.strictEqual(yield* seen(partner), "OutsideHierarchy")
      }
    }))

  it("find finds neither an id that was never inserted nor a deleted partner", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const [root, child] = yield* givenForest([null, 0])
      yield* (yield* PartnerRepository).remove(asOperator.inScope(child), later)
      for (const id of [(yield* freshId) as PartnerId, child.partner_id]) {
        assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(root), id)), "NotFound")
      }
    }))

  it("isWithin holds for itself and for what lies anywhere below, and for nothing else", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const { scopes } = yield* givenScopes
      for (const { caller: top, inside, outside } of scopes) {
        const isWithin = ({ partner_id }: PartnerDetail) =>
          tree.isWithin(asOperator.inScope(top), asOperator.inScope(partner_id))
        for (const partner of inside) assert.isTrue(yield* isWithin(partner))
        for (const partner of outside) assert.isFalse(yield* isWithin(partner))
      }
    }))

  it("move hangs a partner with its whole subtree below another parent", () =>
    Effect.gen(function*() {
      const [root, left, right, moved, below, deep] = yield* givenForest([null, 0, 0, 1, 3, 4])
      yield* moveIfAcyclic(root, moved, right)
      assert.strictEqual(yield* parentOf(root, moved), right.partner_id)
      assert.strictEqual(yield* parentOf(root, below), moved.partner_id)
      assert.sameMembers([...(yield* visibleTo(right))], idsOf(right, moved, below, deep))
      assert.sameMembers([...(yield* visibleTo(left))], idsOf(left))
      assert.sameMembers([...(yield* visibleTo(root))], idsOf(root, left, right, moved, below, deep))
    }))

  it("move changes nothing of the partner but its parent", () =>
    Effect.gen(function*() {
      const root = yield* givenRoot()
      const parent = yield* givenChild(root)
      const { parent_id: _, ...fields } = yield* wholePartner
      const moved = yield* givenChild(root, fields)
      yield* moveIfAcyclic(root, moved, parent)
      assert.deepStrictEqual(yield* readPartner(moved), { ...moved, parent_id: parent.partner_id })
      for (const one of [root, parent]) assert.deepStrictEqual(yield* readPartner(one), one)
    }))

  it("T09 after a move the old parent's callers see nothing of the subtree and the new parent's all of it", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const [root, left, right, moved, below] = yield* givenForest([null, 0, 0, 1, 3])
      yield* moveIfAcyclic(root, moved, right)
      for (const { partner_id } of [moved, below]) {
        assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(left), partner_id)), "OutsideHierarchy")
        assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(right), partner_id)), partner_id)
      }
    }))

  it("a partner added below a moved one stands where the move has put it", () =>
    Effect.gen(function*() {
      const [root, left, right, moved] = yield* givenForest([null, 0, 0, 1])
      yield* moveIfAcyclic(root, moved, right)
      const added = yield* givenChild(moved)
      assert.sameMembers([...(yield* visibleTo(right))], idsOf(right, moved, added))
      assert.sameMembers([...(yield* visibleTo(left))], idsOf(left))
    }))

  it("deleted partners keep their place: what is below one stays in its ancestors' scope", () =>
    Effect.gen(function*() {
      const tree = yield* PartnerTree
      const [root, middle, leaf] = yield* givenForest([null, 0, 1])
      yield* (yield* PartnerRepository).remove(asOperator.inScope(middle), later)
      assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(root), leaf.partner_id)), leaf.partner_id)
      assert.isTrue(yield* tree.isWithin(asOperator.inScope(root), asOperator.inScope(middle.partner_id)))
    }))

  it("T11 of two moves at once that would make a cycle together, one is done and none is lost", () =>
    Effect.gen(function*() {
      const [root, left, right] = yield* givenForest([null, 0, 0])
      yield* Effect.all([moveIfAcyclic(root, left, right), moveIfAcyclic(root, right, left)], {
        concurrency: "unbounded"
      })
      const parents = [yield* parentOf(root, left), yield* parentOf(root, right)]
      assert.sameMembers(
        parents,
        parents[0] === root.partner_id ? idsOf(root, left) : idsOf(root, right)
      )
      assert.sameMembers([...(yield* visibleTo(root))], idsOf(root, left, right))
    }))
}
