import { assert, describe, it } from "@effect/vitest"
import { storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { getPartner } from "../../src/partner/GetPartner.ts"
import { listPartners } from "../../src/partner/ListPartners.ts"
import { getUser } from "../../src/user/GetUser.ts"
import { listUsers } from "../../src/user/ListUsers.ts"
import { type PartnerId, type UserId } from "../../src/values/ids.ts"
import { callerOf, expectRefusal, outcomeOf, permit, permitUserRead, runInMemory, storeMember } from "../fixtures.ts"

/** A tree of seven partners with an administrator each, and a tree of one partner. */
const shape = [null, 0, 0, 1, 1, 3, 2, null] as const
const below = [[0, 1, 2, 3, 4, 5, 6], [1, 3, 4, 5], [2, 6], [3, 5], [4], [5], [6], [7]]

const setUp = Effect.gen(function*() {
  const partners = yield* storeForest([...shape])
  const users = yield* Effect.forEach(partners, (partner) => storeMember(partner, "admin"))
  return partners.map((partner, index) => ({
    partner,
    user: users[index] ?? (users[0] as never),
    inside: below[index] ?? []
  }))
})

describe("reading within a scope", () => {
  it.effect("T01 T02 HIER-01 every caller reads, lists and counts exactly its own subtree", () =>
    runInMemory(Effect.gen(function*() {
      const nodes = yield* setUp
      for (const { inside, user } of nodes) {
        const caller = yield* callerOf(user)
        const [partnersRead, usersRead] = [yield* permit(caller, "partners:read"), yield* permit(caller, "users:read")]
        for (const [index, node] of nodes.entries()) {
          const expected = inside.includes(index) ? "done" : "OutsideHierarchy"
          assert.strictEqual(yield* outcomeOf(getPartner(partnersRead, node.partner.partner_id)), expected)
          const oneUser = yield* permitUserRead(caller, node.user.user_id)
          assert.strictEqual(yield* outcomeOf(getUser(oneUser, node.user.user_id)), expected)
        }
        const partners = yield* listPartners(partnersRead, { size: "100" })
        const listed = partners.content.map(({ partner_id }) =>
          nodes.findIndex(({ partner }) => partner.partner_id === partner_id)
        )
        assert.deepStrictEqual(listed.toSorted(), inside)
        assert.strictEqual(partners.page.total_elements, inside.length)
        const users = yield* listUsers(usersRead, { size: "100" })
        const theirs = users.content.map(({ user_id }) => nodes.findIndex((node) => node.user.user_id === user_id))
        assert.deepStrictEqual(theirs.toSorted(), inside)
        assert.strictEqual(users.page.total_elements, inside.length)
      }
    })))

  it.effect("T03 a filter narrows the scope and never widens it", () =>
    runInMemory(Effect.gen(function*() {
      const nodes = yield* setUp
      const [root, first, , third] = nodes
      if (root === undefined || first === undefined || third === undefined) throw new Error("the tree has seven nodes")
      const caller = yield* callerOf(third.user)
      const read = yield* permit(caller, "users:read")
      const outside = yield* listUsers(read, { partner_id: first.partner.partner_id })
      assert.deepStrictEqual([outside.content, outside.page.total_elements], [[], 0])
      const email = yield* listUsers(read, { email: "@example.com", group: "admin" })
      assert.strictEqual(email.page.total_elements, 2)
      const children = yield* listPartners(yield* permit(caller, "partners:read"), {
        parent_id: root.partner.partner_id
      })
      assert.strictEqual(children.page.total_elements, 0)
      yield* expectRefusal(
        listUsers(read, { cpf: "x", sort: "password,asc" }),
        "query.cpf INVALID_FORMAT, query.sort UNKNOWN_VALUE"
      )
    })))

  it.effect("HIER-02 an unknown id is not found", () =>
    runInMemory(Effect.gen(function*() {
      const [node] = yield* setUp
      if (node === undefined) throw new Error("the tree has seven nodes")
      const caller = yield* callerOf(node.user)
      yield* expectRefusal(
        getPartner(yield* permit(caller, "partners:read"), node.user.user_id as string as PartnerId),
        "NotFound"
      )
      const nobody = node.partner.partner_id as string as UserId
      yield* expectRefusal(getUser(yield* permitUserRead(caller, nobody), nobody), "NotFound")
    })))

  it.effect("AUTH-03 a user reads itself without users:read", () =>
    runInMemory(Effect.gen(function*() {
      const [node] = yield* setUp
      if (node === undefined) throw new Error("the tree has seven nodes")
      const operator = yield* storeMember(node.partner, "operator")
      const caller = yield* callerOf(operator, [])
      const self = yield* getUser(yield* permitUserRead(caller, operator.user_id), operator.user_id)
      assert.deepStrictEqual(self.partners, [{ partner_id: node.partner.partner_id, name: node.partner.name }])
    })))
})
