import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail, PartnerRepository } from "@lastro/domain/partner"
import { type UnitOfWork } from "@lastro/domain/ports"
import { UserRepository } from "@lastro/domain/user"
import { assert } from "chai"
import { storeForest, storeUser } from "../../builders/storedRecords.ts"
import { later, readPartner, removePartner } from "../hierarchy/storedPartner.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, recordOrRefusal, requireInScope, scopeOfPartner } from "../suite/queries.ts"
import { readUser, userDetailOf } from "../user/storedUser.ts"

/** Contract cases for PartnerRepository: `remove` and `dependents`. */
export const partnerRemovalCases: ContractCases<PartnerRepository | UserRepository | UnitOfWork> = (it) => {
  it("`remove` hides the partner from every read", function*() {
    const repository = yield* PartnerRepository
    const [root, child, sibling] = yield* storeForest([null, 0, 0])
    yield* removePartner(child)
    assert.strictEqual(yield* readPartner(child), "NotFound")
    assert.strictEqual(
      recordOrRefusal(yield* repository.findForUpdate(scopeOfPartner(root), child.partner_id)),
      "NotFound"
    )
    const { items, total } = yield* repository.list(scopeOfPartner(root), listQuery({}))
    assert.sameMembers(items.map(({ partner_id }) => partner_id), [root.partner_id, sibling.partner_id])
    assert.strictEqual(total, 2)
    assert.strictEqual((yield* repository.dependents(asOperator.inScope(root))).children, 1)
  })

  it("`remove` leaves the descendants and the users of the partner unchanged", function*() {
    const users = yield* UserRepository
    const [root, child, grandchild] = yield* storeForest([null, 0, 1])
    const [one, other] = [yield* storeUser(child), yield* storeUser(grandchild)]
    yield* removePartner(child)
    assert.deepStrictEqual(yield* readPartner(grandchild), grandchild)
    assert.deepStrictEqual(yield* readUser(root, one), userDetailOf(child, one))
    assert.deepStrictEqual(yield* readUser(root, other), userDetailOf(grandchild, other))
    const { items, total } = yield* users.list(scopeOfPartner(root), listQuery({}))
    assert.sameDeepMembers([...items], [one, other])
    assert.strictEqual(total, 2)
  })

  it("`dependents` counts direct children and users, including inactive ones but not removed ones", function*() {
    const repository = yield* PartnerRepository
    const [root, child, sibling, grandchild] = yield* storeForest(
      [null, 0, 0, 1],
      (index) => index === 1 ? { status: "inactive" } : {}
    )
    const user = yield* storeUser(child)
    yield* storeUser(child, { status: "INACTIVE" })
    yield* storeUser(grandchild)
    const dependents = (partner: PartnerDetail) => repository.dependents(asOperator.inScope(partner))
    assert.deepStrictEqual(yield* dependents(root), { children: 2, users: 0, applications: 0 })
    assert.deepStrictEqual(yield* dependents(child), { children: 1, users: 2, applications: 0 })
    assert.deepStrictEqual(yield* dependents(sibling), { children: 0, users: 0, applications: 0 })
    const users = yield* UserRepository
    yield* users.remove(yield* requireInScope(users.findForUpdate(scopeOfPartner(root), user.user_id)), later)
    assert.deepStrictEqual(yield* dependents(child), { children: 1, users: 1, applications: 0 })
    yield* removePartner(sibling)
    assert.deepStrictEqual(yield* dependents(root), { children: 1, users: 0, applications: 0 })
  })
}
