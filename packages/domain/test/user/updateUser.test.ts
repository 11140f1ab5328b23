import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, Result } from "effect"
import * as fc from "fast-check"
import { groupBySlug, groupRecord, type GroupSlug } from "../../src/access/Group.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { getUser } from "../../src/user/GetUser.ts"
import { judgeAuthority } from "../../src/user/judgeGroup.ts"
import { judgeLastAdministrator } from "../../src/user/lastAdministrator.ts"
import { needsCurrent } from "../../src/user/passwordChange.ts"
import { isDeactivation, updateUser } from "../../src/user/UpdateUser.ts"
import { type UserDetail } from "../../src/user/UserDetail.ts"
import { type PartnerId, type UserId } from "../../src/values/ids.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  knownPassword,
  outcomeOf,
  permitUserPatch,
  permitUserRead,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const stale = () => false

describe("updateUser", () => {
  it.effect("AUDIT-02 patches a user and audits the masked states and the changed fields", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      const { user_id } = yield* storeMember(aa, "viewer")
      const before = yield* getUser(yield* permitUserRead(caller, user_id), user_id)
      const after = yield* updateUser(yield* permitUserPatch(caller, user_id), user_id, {
        name: "Outro Nome",
        status: "INACTIVE",
        group_id: groupBySlug("operator").group_id,
        cpf: before.cpf
      })
      assert.deepStrictEqual<unknown>(after, {
        ...before,
        name: "Outro Nome",
        status: "INACTIVE",
        group: { group_id: groupBySlug("operator").group_id, slug: "operator", label: "Operador" }
      })
      assert.deepStrictEqual(yield* getUser(yield* permitUserRead(caller, user_id), user_id), after)
      const [entry, ...more] = yield* auditEntriesOf(user_id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry, { actor: aAdmin.user_id, action: "user.update", partner_id: aa.partner_id })
      const group = ["group.group_id", "group.slug", "group.label"]
      assert.deepStrictEqual(entry?.changed, ["name", "status", ...group])
      assert.deepInclude(Object(entry?.before), { name: "M***o", status: "ACTIVE" })
      assert.deepInclude(Object(entry?.after), { name: "O***e", status: "INACTIVE" })
      assert.notInclude(JSON.stringify(entry), before.cpf)
    })))

  it.effect("moves a user only to a partner of the subtree", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, b, root, stranger } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      const { user_id } = yield* storeMember(aa, "viewer")
      const allowed = yield* permitUserPatch(caller, user_id)
      for (const { partner_id } of [root, b, stranger]) {
        yield* expectRefusal(
          updateUser(allowed, user_id, { partner_id, name: "" }),
          "name TOO_SHORT, partner_id OUTSIDE_HIERARCHY"
        )
      }
      yield* expectRefusal(updateUser(allowed, user_id, { partner_id: user_id }), "partner_id NOT_FOUND")
      yield* expectRefusal(updateUser(allowed, user_id, { partner_id: null }), "partner_id NOT_NULLABLE")
      const moved = yield* updateUser(allowed, user_id, { partner_id: aAdmin.partner_id })
      assert.deepStrictEqual(moved.partners.map(({ partner_id }) => partner_id), [aAdmin.partner_id])
      assert.strictEqual((yield* auditEntriesOf(user_id)).at(-1)?.partner_id, aAdmin.partner_id)
    })))

  it.effect("USER-07 deactivating a user ends its sessions permanently; other patches do not", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const { email, user_id } = yield* storeMember(aa, "viewer")
      const allowed = yield* permitUserPatch(yield* callerOf(aAdmin), user_id)
      const signIn = issueToken({ grant_type: "password", username: email, password: knownPassword })
      const use = (refresh_token: string | undefined) =>
        outcomeOf(issueToken({ grant_type: "refresh_token", refresh_token }))
      const kept = yield* signIn
      for (const body of [{ name: "Outro Nome" }, { status: "ACTIVE" }]) yield* updateUser(allowed, user_id, body)
      assert.strictEqual(yield* use(kept.refresh_token), "done")
      const ended = yield* signIn
      yield* updateUser(allowed, user_id, { status: "INACTIVE" })
      yield* updateUser(allowed, user_id, { status: "ACTIVE" })
      assert.strictEqual(yield* use(ended.refresh_token), "TokenRefused")
      assert.strictEqual(yield* use((yield* signIn).refresh_token), "done")
    })))

  it("USER-07 only the change from active to inactive is a deactivation", () => {
    const both = [{ status: "ACTIVE" }, { status: "INACTIVE" }] as const
    assert.deepStrictEqual(both.map((before) => both.map((after) => isDeactivation(before, after))), [
      [false, true],
      [false, false]
    ])
  })

  it("USER-08 only the last active administrator is kept, against callers of its own partner", () => {
    const [own, below] = ["0197f3a2-5b1c-7d3e-8f4a-00000000000a", "0197f3a2-5b1c-7d3e-8f4a-00000000000b"] as const
    const role = (slug: GroupSlug, status: "ACTIVE" | "INACTIVE", partner_id: string = own) => ({
      group: groupRecord(groupBySlug(slug)),
      status,
      partner_id: partner_id as PartnerId
    })
    fc.assert(fc.property(
      fc.constantFrom<GroupSlug>("admin", "manager", "viewer"),
      fc.option(fc.record({
        slug: fc.constantFrom<GroupSlug>("admin", "manager", "viewer"),
        status: fc.constantFrom("ACTIVE" as const, "INACTIVE" as const),
        partner_id: fc.constantFrom(own, below)
      })),
      fc.constantFrom(own, below),
      fc.integer({ min: 1, max: 3 }),
      (before, after, caller, count) => {
        const judged = judgeLastAdministrator(
          { partner_id: caller as PartnerId },
          role(before, "ACTIVE"),
          after === null ? null : role(after.slug, after.status, after.partner_id),
          count
        )
        const keeps = after?.slug === "admin" && after.status === "ACTIVE" && after.partner_id === own
        const isRefused = caller === own && before === "admin" && count === 1 && !keeps
        assert.strictEqual(Result.isFailure(judged), isRefused)
      }
    ))
  })

  it.effect("USER-10 the current password is needed for one's own new password or address, and for nothing else", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, rootAdmin } = yield* storeTwoTrees
      const [self, other] = [yield* callerOf(aAdmin), yield* callerOf(rootAdmin)]
      const user = { email: aAdmin.email, user_id: aAdmin.user_id }
      for (const body of [{ password: "x" }, { email: "nova@example.com" }, { password: "x", email: aAdmin.email }]) {
        assert.isTrue(needsCurrent(self, user, body))
        assert.isFalse(needsCurrent(other, user, body))
      }
      for (const body of [{}, { name: "Nova" }, { email: aAdmin.email }, null, "password"]) {
        assert.isFalse(needsCurrent(self, user, body))
      }
    })))

  it.effect("USER-10 one's own e-mail address changes only with the current password; another user's needs none", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const self = yield* permitUserPatch(yield* callerOf(aAdmin), aAdmin.user_id)
      const patch = (body: object) => updateUser(self, aAdmin.user_id, { email: "nova@example.com", ...body })
      yield* expectRefusal(patch({}), "current_password REQUIRED")
      yield* expectRefusal(patch({ current_password: "wrong" }), "current_password MISMATCH")
      assert.strictEqual(yield* outcomeOf(updateUser(self, aAdmin.user_id, { email: aAdmin.email })), "done")
      const changed = yield* patch({ current_password: knownPassword })
      assert.deepInclude(changed, { email: "nova@example.com", must_change_password: false })
      const member = yield* storeMember(aa, "manager")
      const other = yield* permitUserPatch(yield* callerOf(aAdmin), member.user_id)
      assert.strictEqual((yield* updateUser(other, member.user_id, { email: "m@example.com" })).email, "m@example.com")
    })))

  it("USER-09 a change that needs authority is allowed to a group above, and to an administrator of a partner above", () => {
    const slugs: ReadonlyArray<GroupSlug> = ["admin", "manager", "operator", "viewer"]
    const email = "maria@example.com"
    const allowed = (body: unknown, partner_id = "p", status: UserDetail["status"] = "ACTIVE") =>
      slugs.flatMap((caller) =>
        slugs.filter((user) =>
          Result.isSuccess(judgeAuthority(
            { group: caller, partner_id: "p" as PartnerId },
            { email, group: groupRecord(groupBySlug(user)), partner_id: partner_id as PartnerId, status },
            body
          ))
        ).map((user) => `${caller} ${user}`)
      )
    const above = ["admin manager", "admin operator", "admin viewer", "manager operator", "manager viewer"]
    const bodies = [{ password: "x" }, { password: null }, { email: "m@example.com" }, { group_id: "g" }, {
      partner_id: "q"
    }]
    for (const body of bodies) {
      assert.deepStrictEqual(allowed(body), above, JSON.stringify(body))
      assert.deepStrictEqual(allowed(body, "below"), ["admin admin", ...above], JSON.stringify(body))
    }
    assert.deepStrictEqual(allowed({ status: "ACTIVE" }, "p", "INACTIVE"), ["admin admin", ...above])
    const unchanged = { email, partner_id: "P", status: "INACTIVE", name: "Outro" }
    assert.strictEqual(allowed(unchanged).length, slugs.length ** 2)
    for (const slug of slugs) {
      const { group_id } = groupBySlug(slug)
      for (const named of [slug, group_id, group_id.toUpperCase()]) {
        assert.include(allowed({ group_id: named }), `${slug} ${slug}`, "the group that the user already has")
      }
    }
  })

  it.effect("PATCH-01 a patch without changes returns the same record and writes nothing", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      const { user_id } = yield* storeMember(aa, "viewer")
      const before = yield* getUser(yield* permitUserRead(caller, user_id), user_id)
      const allowed = yield* permitUserPatch(caller, user_id)
      const { state } = yield* MemoryDatabase
      const stored = yield* state
      const same = {
        name: before.name,
        cpf: before.cpf,
        group_id: before.group.group_id,
        partner_id: before.partner_id
      }
      for (const body of [{}, same, { current_password: "unasked" }]) {
        assert.deepStrictEqual(yield* updateUser(allowed, user_id, body), before)
      }
      assert.deepStrictEqual(yield* state, stored)
    })))

  it.effect("HIER-02 USER-02 PRE-01 checks existence, hierarchy, group, precondition and body in this order", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aa, b, root, rootAdmin } = yield* storeTwoTrees
      const manager = yield* callerOf(yield* storeMember(a, "manager"))
      const patch = Effect.fnUntraced(function*(id: UserId, body: unknown, expected: string, precondition = stale) {
        yield* expectRefusal(updateUser(yield* permitUserPatch(manager, id), id, body, precondition), expected)
      })
      const wrong = { name: "", group_id: groupBySlug("admin").group_id }
      yield* patch(a.partner_id as string as UserId, wrong, "NotFound")
      yield* patch(rootAdmin.user_id, wrong, "OutsideHierarchy")
      yield* patch((yield* storeMember(b, "viewer")).user_id, wrong, "OutsideHierarchy")
      yield* patch((yield* storeMember(root, "viewer")).user_id, { name: "" }, "OutsideHierarchy")
      yield* patch((yield* storeMember(aa, "admin")).user_id, { name: "" }, "PermissionDenied")
      const viewer = yield* storeMember(aa, "viewer")
      yield* patch(viewer.user_id, wrong, "PermissionDenied")
      yield* patch(viewer.user_id, { name: "" }, "PreconditionFailed")
      yield* patch(viewer.user_id, { name: "" }, "name TOO_SHORT", () => true)
      yield* patch(viewer.user_id, { group_id: a.partner_id }, "group_id NOT_FOUND", () => true)
    })))

  it.effect("PRE-01 the precondition receives the stored user", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const { name, user_id } = yield* storeMember(aa, "viewer")
      const allowed = yield* permitUserPatch(yield* callerOf(aAdmin), user_id)
      const isFirst = (current: UserDetail) => current.name === name
      yield* updateUser(allowed, user_id, { name: "Outro" }, isFirst)
      yield* expectRefusal(updateUser(allowed, user_id, { name: "Mais outro" }, isFirst), "PreconditionFailed")
    })))

  it.effect("T23 a taken e-mail is rejected; one's own in another letter case is not", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, strangerAdmin } = yield* storeTwoTrees
      const { email, user_id } = yield* storeMember(aa, "viewer")
      const allowed = yield* permitUserPatch(yield* callerOf(aAdmin), user_id)
      yield* expectRefusal(updateUser(allowed, user_id, { email: strangerAdmin.email.toUpperCase() }), "EmailTaken")
      assert.strictEqual(
        (yield* updateUser(allowed, user_id, { email: email.toUpperCase() })).email,
        email.toUpperCase()
      )
    })))

  it.effect("USER-04 a user patches its own record only with users:write", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const viewer = yield* storeMember(aa, "viewer")
      const self = yield* permitUserPatch(yield* callerOf(viewer), viewer.user_id)
      for (const body of [{ name: "Eu Mesma" }, { password: "a new password", status: "ACTIVE" }, { zzz: 1 }, null]) {
        yield* expectRefusal(updateUser(self, viewer.user_id, body, stale), "PermissionDenied")
      }
      const admin = yield* permitUserPatch(yield* callerOf(aAdmin), aAdmin.user_id)
      assert.strictEqual((yield* updateUser(admin, aAdmin.user_id, { name: "Eu Mesma" })).name, "Eu Mesma")
      const narrowed = yield* callerOf(aAdmin, ["users:write"])
      yield* expectRefusal(
        updateUser(yield* permitUserPatch(narrowed, aAdmin.user_id), aAdmin.user_id, { name: "Eu" }),
        "PermissionDenied"
      )
    })))
})
