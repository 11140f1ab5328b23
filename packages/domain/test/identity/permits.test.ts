import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { type Permission, permissions } from "../../src/identity/Permission.ts"
import { permits } from "../../src/identity/permits.ts"
import { aCaller, callers, otherUser, ownUser } from "../hierarchy/callers.ts"

/** What each operation needs, written a second time. */
const needed: Readonly<Record<Exclude<keyof typeof permits, "getUser" | "updateUser" | "listGroups">, Permission>> = {
  listPartners: "partners:read",
  createPartner: "partners:write",
  getPartner: "partners:read",
  updatePartner: "partners:write",
  deletePartner: "partners:write",
  listUsers: "users:read",
  createUser: "users:write",
  deleteUser: "users:write",
  searchApplications: "fgts:read",
  createApplication: "fgts:write",
  getApplication: "fgts:read",
  getApplicationStatus: "fgts:read",
  requoteApplication: "fgts:write",
  acceptOffer: "fgts:write",
  getKyc: "kyc:read",
  submitKyc: "fgts:write",
  listProposals: "proposals:read",
  getProposal: "proposals:read"
}
const operations = Object.entries(needed)

const allows = (judged: Result.Result<unknown, unknown>): boolean => Result.isSuccess(judged)

describe("permits", () => {
  it("AUTH-12 each operation takes exactly the one permission that it needs", () => {
    for (const [name, permission] of operations) {
      const permit = Reflect.get(permits, name) as (typeof permits)["getPartner"]
      for (const held of permissions) {
        assert.strictEqual(allows(permit(aCaller({ permissions: new Set([held]) }))), held === permission, name)
      }
      fc.assert(fc.property(callers, (caller) => {
        assert.strictEqual(allows(permit(caller)), !caller.must_change_password && caller.permissions.has(permission))
      }))
    }
  })

  it("AUTH-12 users read themselves, and others with users:read; change themselves, and others with users:write", () => {
    const none = aCaller({ permissions: new Set() })
    for (
      const [permit, permission] of [[permits.getUser, "users:read"], [permits.updateUser, "users:write"]] as const
    ) {
      assert.isTrue(allows(permit(none, ownUser)))
      assert.isTrue(allows(permit(none, ownUser.toUpperCase())))
      assert.isFalse(allows(permit(none, otherUser)))
      for (const malformed of ["", "me", `${ownUser} `]) assert.isFalse(allows(permit(none, malformed)))
      assert.isTrue(allows(permit(aCaller({ permissions: new Set([permission]) }), otherUser)))
      assert.isTrue(allows(permit(aCaller({ permissions: new Set([permission]) }), "")))
    }
    assert.isFalse(allows(permits.getUser(aCaller({ must_change_password: true }), ownUser)))
    assert.isTrue(allows(permits.updateUser(aCaller({ must_change_password: true }), ownUser)))
  })

  it("AUTH-12 the groups are for everybody whose password is their own", () => {
    fc.assert(fc.property(callers, (caller) => {
      assert.strictEqual(allows(permits.listGroups(caller)), !caller.must_change_password)
    }))
  })
})
