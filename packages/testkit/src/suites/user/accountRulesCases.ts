import { type Caller, groupBySlug, type GroupSlug } from "@lastro/domain/access"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserListItem, UserRepository } from "@lastro/domain/user"
import { assert } from "chai"
import { Effect } from "effect"
import { aCaller } from "../../builders/aCaller.ts"
import { freshId } from "../../builders/Fresh.ts"
import { storeForest } from "../../builders/storedRecords.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"
import { listQuery, scopeOfPartner } from "../suite/queries.ts"
import { holdOpen, runBehind } from "../suite/transactions.ts"
import { type AccountStorage, call, callerOf, memberOf } from "./accountCalls.ts"

/** The body of a request for a new user. */
const newAccount = Effect.map(freshId, (id) => ({
  name: "Maria da Conceição",
  email: `maria.${id}@example.com`,
  phone: "11987654321",
  cpf: "11144477735"
}))

const viewer = groupBySlug("viewer").group_id

const endings = ["own.deactivation", "own.demotion", "own.move", "others.deactivation", "others.deletion"] as const

type Ending = typeof endings[number]

/** The changes after which a user is no active administrator of its partner: by the user itself, and by others. */
const endingsOf = (
  { user_id }: UserListItem,
  below: PartnerDetail
): Readonly<Record<Ending, (caller: Caller) => ReturnType<typeof call>>> => {
  const update = (body: unknown) => (caller: Caller) => call("updateUser", caller, user_id, body)
  return {
    "own.deactivation": update({ status: "INACTIVE" }),
    "own.demotion": update({ group_id: viewer }),
    "own.move": update({ partner_id: below.partner_id }),
    "others.deactivation": update({ status: "INACTIVE" }),
    "others.deletion": (caller) => call("deleteUser", caller, user_id)
  }
}

const isOwn = (ending: Ending): boolean => ending.startsWith("own")

/** Contract cases for the rules of users that use cases and storage enforce together. */
export const accountRulesCases: ContractCases<AccountStorage> = (it) => {
  it("USER-08 no caller of a partner takes the role of its last active administrator away; a caller above can", function*() {
    const [root, child, leaf] = yield* storeForest([null, 0, 1])
    for (const [partner, below] of [[root, child], [child, leaf]] as const) {
      const last = yield* memberOf(partner, "admin")
      yield* memberOf(partner, "admin", "INACTIVE")
      yield* memberOf(partner, "manager")
      const client = yield* aCaller().at(partner, root).asClient()
      for (const ending of endings) {
        const caller = isOwn(ending) ? yield* callerOf(last, root) : client
        assert.strictEqual(yield* endingsOf(last, below)[ending](caller), "LastAdministrator")
      }
      assert.strictEqual(yield* call("updateUser", client, last.user_id, { name: "Outro Nome" }), "done")
    }
    const above = yield* callerOf(yield* memberOf(root, "admin"), root)
    const { items } = yield* (yield* UserRepository).list(
      scopeOfPartner(child),
      listQuery({ group: "admin" as const, status: "ACTIVE" as const, partner_id: child.partner_id })
    )
    assert.strictEqual(items.length, 1)
    for (const { user_id } of items) assert.strictEqual(yield* call("deleteUser", above, user_id), "done")
  })

  for (const ending of endings) {
    it(`USER-08 of two concurrent changes, the second does not end the last administrator: ${ending}`, function*() {
      const [root, child] = yield* storeForest([null, 0])
      const [one, other] = [yield* memberOf(root, "admin"), yield* memberOf(root, "admin")]
      const first = call("updateUser", yield* callerOf(one, root), other.user_id, { status: "INACTIVE" })
      const held = yield* holdOpen(Effect.map(first, (outcome) => assert.strictEqual(outcome, "done")))
      const second = endingsOf(one, child)[ending](yield* callerOf(isOwn(ending) ? one : other, root))
      assert.strictEqual(yield* runBehind(held, second), "LastAdministrator")
    })
  }

  it("USER-09 how a user signs in and what it may do is changed only from above, not by a peer", function*() {
    const [root, child, leaf] = yield* storeForest([null, 0, 1])
    const bodies = {
      password: { password: "a better password" },
      email: { email: `nova.${yield* freshId}@example.com` },
      group: { group_id: viewer },
      partner: { partner_id: leaf.partner_id },
      activation: { status: "ACTIVE" },
      deactivation: { status: "INACTIVE" },
      name: { name: "Outro Nome" }
    }
    const allowedTo = Effect.fnUntraced(function*(caller: Caller, partner: PartnerDetail, group: GroupSlug) {
      const allowed: Array<string> = []
      for (const [name, body] of Object.entries(bodies)) {
        const user = yield* memberOf(partner, group, name === "activation" ? "INACTIVE" : "ACTIVE")
        const outcome = yield* call("updateUser", caller, user.user_id, body)
        if (outcome === "done") allowed.push(name)
        else assert.strictEqual(outcome, "PermissionDenied", name)
        yield* call("deleteUser", caller, user.user_id)
      }
      return allowed
    })
    const all = Object.keys(bodies)
    const manager = yield* callerOf(yield* memberOf(root, "manager"), root)
    assert.deepStrictEqual(yield* allowedTo(manager, root, "manager"), ["deactivation", "name"])
    assert.deepStrictEqual(yield* allowedTo(manager, child, "manager"), ["deactivation", "name"])
    assert.deepStrictEqual(yield* allowedTo(manager, root, "operator"), all)
    assert.deepStrictEqual(yield* allowedTo(manager, child, "admin"), [])
    const admin = yield* callerOf(yield* memberOf(root, "admin"), root)
    assert.deepStrictEqual(yield* allowedTo(admin, root, "admin"), ["activation", "deactivation", "name"])
    assert.deepStrictEqual(yield* allowedTo(admin, child, "admin"), all)
    assert.deepStrictEqual(yield* allowedTo(admin, root, "manager"), all)
  })

  it("USER-08 no caller blocks its own partner: it cannot be deactivated, moved or deleted by itself", function*() {
    const [root, child, leaf, other] = yield* storeForest([null, 0, 1, 0])
    for (const partner of [root, child]) {
      for (const caller of [yield* aCaller().at(partner, root), yield* aCaller().at(partner, root).asClient()]) {
        const update = (fields: object) => call("updatePartner", caller, partner.partner_id, { partner: fields })
        assert.strictEqual(yield* update({ status: "inactive" }), "OwnPartner")
        for (const { partner_id } of [leaf, other]) {
          assert.notStrictEqual(yield* update({ parent_uuid: partner_id }), "done")
        }
        assert.strictEqual(yield* call("deletePartner", caller, partner.partner_id), "SelfDelete")
      }
    }
  })

  it("USER-02 no user is created in, or moved to, a group with permissions that the caller lacks", function*() {
    const [root] = yield* storeForest([null])
    const manager = yield* callerOf(yield* memberOf(root, "manager"), root)
    const narrowed = yield* callerOf(yield* memberOf(root, "admin"), root).allowedOnly("users:write")
    const { user_id } = yield* memberOf(root, "viewer")
    for (const caller of [manager, narrowed]) {
      for (const group_id of [groupBySlug("admin").group_id, groupBySlug("admin").group_id.toUpperCase()]) {
        assert.strictEqual(yield* call("updateUser", caller, user_id, { group_id }), "PermissionDenied")
        const body = { ...yield* newAccount, group_id }
        assert.strictEqual(yield* call("createUser", caller, "", body), "PermissionDenied")
      }
    }
    assert.strictEqual(yield* call("createUser", manager, "", { ...yield* newAccount, group_id: viewer }), "done")
  })
}
