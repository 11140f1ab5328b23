import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { PartnerTree, type UnitOfWork } from "@lastro/domain/ports"
import { type PartnerId } from "@lastro/domain/values"
import { assert } from "chai"
import { Effect, Option } from "effect"
import { completePartner } from "../../builders/aPartner.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeChildPartner, storeForest, storeRootPartner } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, recordOrRefusal, scopeOfPartner } from "../suite/queries.ts"
import { later, moveIfAcyclic, readPartner, storeScopeExamples } from "../suite/storedRecords.ts"
import { inParallel } from "../suite/transactions.ts"
import { type FindSubject } from "./findCases.ts"

const readParent = (root: PartnerDetail, partner: PartnerDetail) =>
  Effect.gen(function*() {
    const found = recordOrRefusal(yield* (yield* PartnerRepository).find(scopeOfPartner(root), partner.partner_id))
    return typeof found === "string" ? found : found.parent_id
  })

const findPlace = ({ partner_id }: PartnerDetail) =>
  PartnerTree.use((tree) => Effect.map(tree.findPlace(partner_id), Option.getOrUndefined))

const listIds = (caller: PartnerDetail) =>
  Effect.gen(function*() {
    const { items } = yield* (yield* PartnerRepository).list(scopeOfPartner(caller), listQuery({}))
    return items.map(({ partner_id }) => partner_id)
  })

const idsOf = (...partners: ReadonlyArray<PartnerDetail>): Array<PartnerId> =>
  partners.map(({ partner_id }) => partner_id)

/** The find method of PartnerTree, for the contract cases. */
export const treeFinds: FindSubject<PartnerId, PartnerTree> = {
  methods: { find: (scope, id) => PartnerTree.use((tree) => tree.find(scope, id as PartnerId)) },
  store: ({ partner_id }) => Effect.succeed({ id: partner_id, record: partner_id })
}

/** Contract cases for PartnerTree, except those about locks. */
export const partnerTreeCases: ContractCases<PartnerRepository | PartnerTree | UnitOfWork> = (it) => {
  it("`find` returns nothing for a removed partner", function*() {
    const tree = yield* PartnerTree
    const [root, child] = yield* storeForest([null, 0])
    yield* (yield* PartnerRepository).remove(asOperator.inScope(child), later)
    assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(root), child.partner_id)), "NotFound")
  })

  it("`findPlace` returns the root of the tree of a partner, at its current place", function*() {
    const [root, left, right, moved, below, stranger] = yield* storeForest([null, 0, 0, 1, 3, null])
    yield* moveIfAcyclic(root, moved, right)
    for (const partner of [root, left, right, moved, below]) {
      assert.deepStrictEqual(yield* findPlace(partner), {
        partner_id: partner.partner_id,
        root_id: root.partner_id,
        partners_active: true
      })
    }
    assert.strictEqual((yield* findPlace(stranger))?.root_id, stranger.partner_id)
  })

  it("T08 `findPlace`: `partners_active` is false exactly if the partner or an ancestor of it is inactive now", function*() {
    const partners = yield* storeForest([null, 0, 1, 2, 1])
    const [root, inactive, leaf, deep] = partners
    const setStatus = (status: PartnerDetail["status"]) =>
      PartnerRepository.use((all) => all.update(asOperator.inScope(inactive), { ...inactive, status }))
    const readActive = Effect.forEach(
      partners,
      (partner) => Effect.map(findPlace(partner), (place) => place?.partners_active)
    )
    yield* setStatus("inactive")
    assert.deepStrictEqual(yield* readActive, [true, false, false, false, false])
    yield* moveIfAcyclic(root, leaf, root)
    assert.deepStrictEqual(yield* readActive, [true, false, true, true, false])
    yield* moveIfAcyclic(root, deep, inactive)
    assert.deepStrictEqual(yield* readActive, [true, false, true, false, false])
    yield* setStatus("active")
    assert.deepStrictEqual(yield* readActive, [true, true, true, true, true])
  })

  it("T08 `findPlace` returns nothing for an unknown or removed partner", function*() {
    const [, child] = yield* storeForest([null, 0])
    yield* (yield* PartnerRepository).remove(asOperator.inScope(child), later)
    assert.isUndefined(yield* findPlace(child))
    assert.isUndefined(yield* findPlace({ ...child, partner_id: (yield* freshId) as PartnerId }))
  })

  it("`isWithin` is true for the partner itself and its descendants, and for no other partner", function*() {
    const tree = yield* PartnerTree
    const { scopes } = yield* storeScopeExamples
    for (const { caller: top, inside, outside } of scopes) {
      const isWithin = ({ partner_id }: PartnerDetail) =>
        tree.isWithin(asOperator.inScope(top), asOperator.inScope(partner_id))
      for (const partner of inside) assert.isTrue(yield* isWithin(partner))
      for (const partner of outside) assert.isFalse(yield* isWithin(partner))
    }
  })

  it("HIER-06 `contains` and `list` return exactly the partner of the scope and its descendants", function*() {
    const tree = yield* PartnerTree
    const { scopes } = yield* storeScopeExamples
    for (const { caller, inside, outside } of scopes) {
      const scope = scopeOfPartner(caller)
      for (const { partner_id } of inside) assert.isTrue(yield* tree.contains(scope, partner_id))
      for (const { partner_id } of outside) assert.isFalse(yield* tree.contains(scope, partner_id))
      assert.isFalse(yield* tree.contains(scope, (yield* freshId) as PartnerId))
      assert.sameMembers([...(yield* tree.list(scope, 100))], idsOf(...inside))
    }
  })

  it("HIER-06 `list` returns at most `limit` ids, each of another partner in the scope", function*() {
    const tree = yield* PartnerTree
    const [root, child, ...rest] = yield* storeForest([null, 0, 0, 1, 1])
    const all = idsOf(root, child, ...rest)
    for (const limit of [1, 3, 5]) {
      const ids = yield* tree.list(scopeOfPartner(root), limit)
      assert.strictEqual(new Set(ids).size, limit)
      assert.includeMembers(all, [...ids])
    }
  })

  it("HIER-06 `contains` and `list` include a removed partner and its descendants", function*() {
    const tree = yield* PartnerTree
    const [root, middle, leaf] = yield* storeForest([null, 0, 1])
    yield* (yield* PartnerRepository).remove(asOperator.inScope(middle), later)
    for (const top of [root, middle]) assert.isTrue(yield* tree.contains(scopeOfPartner(top), middle.partner_id))
    assert.sameMembers([...(yield* tree.list(scopeOfPartner(root), 100))], idsOf(root, middle, leaf))
    assert.sameMembers([...(yield* tree.list(scopeOfPartner(middle), 100))], idsOf(middle, leaf))
  })

  it("`move` moves a partner with its whole subtree below another parent", function*() {
    const [root, left, right, moved, below, deep] = yield* storeForest([null, 0, 0, 1, 3, 4])
    yield* moveIfAcyclic(root, moved, right)
    assert.strictEqual(yield* readParent(root, moved), right.partner_id)
    assert.strictEqual(yield* readParent(root, below), moved.partner_id)
    assert.sameMembers([...(yield* listIds(right))], idsOf(right, moved, below, deep))
    assert.sameMembers([...(yield* listIds(left))], idsOf(left))
    assert.sameMembers([...(yield* listIds(root))], idsOf(root, left, right, moved, below, deep))
  })

  it("`move` changes no field except parent_id", function*() {
    const root = yield* storeRootPartner()
    const parent = yield* storeChildPartner(root)
    const { parent_id: _, ...fields } = yield* completePartner
    const moved = yield* storeChildPartner(root, fields)
    yield* moveIfAcyclic(root, moved, parent)
    assert.deepStrictEqual(yield* readPartner(moved), { ...moved, parent_id: parent.partner_id })
    for (const unmoved of [root, parent]) assert.deepStrictEqual(yield* readPartner(unmoved), unmoved)
  })

  it("T09 after `move`, the subtree is in the scope of the new parent and no longer in that of the old parent", function*() {
    const tree = yield* PartnerTree
    const [root, left, right, moved, below] = yield* storeForest([null, 0, 0, 1, 3])
    yield* moveIfAcyclic(root, moved, right)
    for (const { partner_id } of [moved, below]) {
      assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(left), partner_id)), "OutsideHierarchy")
      assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(right), partner_id)), partner_id)
    }
  })

  it("a partner inserted below a moved partner is in the new parent's scope", function*() {
    const [root, left, right, moved] = yield* storeForest([null, 0, 0, 1])
    yield* moveIfAcyclic(root, moved, right)
    const added = yield* storeChildPartner(moved)
    assert.sameMembers([...(yield* listIds(right))], idsOf(right, moved, added))
    assert.sameMembers([...(yield* listIds(left))], idsOf(left))
  })

  it("a removed partner stays in the tree: its descendants remain in the scope of its ancestors", function*() {
    const tree = yield* PartnerTree
    const [root, middle, leaf] = yield* storeForest([null, 0, 1])
    yield* (yield* PartnerRepository).remove(asOperator.inScope(middle), later)
    assert.strictEqual(recordOrRefusal(yield* tree.find(scopeOfPartner(root), leaf.partner_id)), leaf.partner_id)
    assert.isTrue(yield* tree.isWithin(asOperator.inScope(root), asOperator.inScope(middle.partner_id)))
  })

  it("T11 of two concurrent moves that together make a cycle, exactly one succeeds", function*() {
    const [root, left, right] = yield* storeForest([null, 0, 0])
    yield* inParallel([moveIfAcyclic(root, left, right), moveIfAcyclic(root, right, left)])
    const parents = [yield* readParent(root, left), yield* readParent(root, right)]
    const [onlyLeftMoved, onlyRightMoved] = [idsOf(right, root), idsOf(root, left)]
    assert.deepInclude([onlyLeftMoved, onlyRightMoved], parents)
    assert.sameMembers([...(yield* listIds(root))], idsOf(root, left, right))
  })
}
