import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { groupBySlug } from "../../src/access/Group.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { deleteUser } from "../../src/user/DeleteUser.ts"
import { getUser } from "../../src/user/GetUser.ts"
import { listUsers } from "../../src/user/ListUsers.ts"
import { type UserId } from "../../src/values/ids.ts"
import { createUser } from "../commands.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  knownPassword,
  outcomeOf,
  permit,
  permitUserRead,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

describe("deleteUser", () => {
  it.effect("T08 hides a user from every read, ends its sessions and tokens, and frees its e-mail", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa } = yield* storeTwoTrees
      const caller = yield* callerOf(aAdmin)
      const viewer = yield* storeMember(aa, "viewer")
      const session = yield* issueToken({ grant_type: "password", username: viewer.email, password: knownPassword })
      const write = yield* permit(caller, "users:write")
      yield* deleteUser(write, viewer.user_id)
      assert.strictEqual(
        yield* outcomeOf(getUser(yield* permitUserRead(caller, viewer.user_id), viewer.user_id)),
        "NotFound"
      )
      assert.strictEqual((yield* listUsers(yield* permit(caller, "users:read"), {})).page.total_elements, 1)
      yield* expectRefusal(deleteUser(write, viewer.user_id), "NotFound")
      assert.strictEqual(yield* outcomeOf(resolveCaller(session.access_token)), "Unauthenticated")
      const refresh = { grant_type: "refresh_token", refresh_token: session.refresh_token }
      assert.strictEqual(yield* outcomeOf(issueToken(refresh)), "TokenRefused")
      const signIn = { grant_type: "password", username: viewer.email, password: knownPassword }
      assert.strictEqual(yield* outcomeOf(issueToken(signIn)), "TokenRefused")
      const [entry, ...more] = yield* auditEntriesOf(viewer.user_id)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry, {
        action: "user.delete",
        actor: aAdmin.user_id,
        after: null,
        partner_id: aa.partner_id
      })
      assert.notInclude(JSON.stringify(entry), viewer.cpf)
      const again = {
        name: "De Novo",
        email: viewer.email,
        phone: "1133334444",
        cpf: viewer.cpf,
        group_id: groupBySlug("viewer").group_id
      }
      assert.strictEqual((yield* createUser(write, again)).email, viewer.email)
    })))

  it.effect("HIER-02 USER-02 PRE-01 USER-05 checks existence, hierarchy, group, precondition and self-deletion in this order", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aa, b, rootAdmin, strangerAdmin } = yield* storeTwoTrees
      const manager = yield* storeMember(a, "manager")
      const write = yield* permit(yield* callerOf(manager), "users:write")
      const stale = () => false
      yield* expectRefusal(deleteUser(write, a.partner_id as string as UserId, stale), "NotFound")
      for (const outside of [rootAdmin, strangerAdmin, yield* storeMember(b, "viewer")]) {
        yield* expectRefusal(deleteUser(write, outside.user_id, stale), "OutsideHierarchy")
      }
      const admin = yield* storeMember(aa, "admin")
      yield* expectRefusal(deleteUser(write, admin.user_id, stale), "PermissionDenied")
      yield* expectRefusal(deleteUser(write, admin.user_id), "PermissionDenied")
      yield* expectRefusal(deleteUser(write, manager.user_id, stale), "PreconditionFailed")
      yield* expectRefusal(deleteUser(write, manager.user_id), "SelfDelete")
    })))
})
