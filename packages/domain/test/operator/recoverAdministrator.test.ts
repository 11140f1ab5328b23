import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { groupBySlug } from "../../src/access/Group.ts"
import { asOperator, judgeFound } from "../../src/hierarchy/Scope.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { setPartnerStatus } from "../../src/operator/partners.ts"
import { recoverAdministrator } from "../../src/operator/recoverAdministrator.ts"
import { deleteUser } from "../../src/user/DeleteUser.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { UserRepository } from "../../src/user/UserRepository.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  knownPassword,
  permit,
  permitUserPatch,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const signIn = (username: string, password: string) => issueToken({ grant_type: "password", username, password })

const person = { name: "Ana Souza", phone: "(11) 98765-4321", cpf: "111.444.777-35" }

describe("recoverAdministrator", () => {
  it.effect("gives a demoted, inactive user with a forgotten password access as an administrator, and ends its sessions", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, rootAdmin } = yield* storeTwoTrees
      const lost = yield* storeMember(aa, "admin")
      const session = yield* signIn(lost.email, knownPassword)
      for (let attempt = 0; attempt < 5; attempt++) yield* Effect.exit(signIn(lost.email, "wrong"))
      yield* expectRefusal(signIn(lost.email, knownPassword), "TooManyAttempts")
      const patch = yield* permitUserPatch(yield* callerOf(rootAdmin), lost.user_id)
      yield* updateUser(patch, lost.user_id, { group_id: groupBySlug("viewer").group_id })
      yield* updateUser(patch, lost.user_id, { status: "INACTIVE" })
      const recovered = yield* recoverAdministrator(lost.email.toUpperCase())
      assert.deepInclude(recovered, {
        user_id: lost.user_id,
        partner_id: aa.partner_id,
        created: false,
        former_group: "viewer",
        partners_active: true
      })
      yield* expectRefusal(signIn(lost.email, knownPassword), "TokenRefused")
      yield* expectRefusal(resolveCaller(session.access_token), "Unauthenticated")
      const again = yield* signIn(lost.email, Redacted.value(recovered.password))
      const caller = yield* resolveCaller(again.access_token)
      assert.deepInclude(caller, { subject: lost.user_id, group: "admin", must_change_password: true })
      const entries = yield* auditEntriesOf(lost.user_id)
      assert.deepInclude(entries.at(-1), { action: "user.recover", actor: "operator" })
      assert.notInclude(JSON.stringify(entries), Redacted.value(recovered.password))
    })))

  it.effect("changes no user of another partner than the given one", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aa, b } = yield* storeTwoTrees
      const user = yield* storeMember(aa, "viewer")
      for (const other of [a, b]) {
        yield* expectRefusal(recoverAdministrator(user.email, { partner_id: other.partner_id }), "UserOfAnotherPartner")
      }
      yield* signIn(user.email, knownPassword)
      assert.isEmpty(yield* auditEntriesOf(user.user_id))
      const { former_group } = yield* recoverAdministrator(user.email, { partner_id: aa.partner_id, person })
      assert.strictEqual(former_group, "viewer")
    })))

  it.effect("creates an administrator of a partner if no user has the e-mail address", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, rootAdmin } = yield* storeTwoTrees
      const deleted = yield* storeMember(aa, "admin")
      yield* deleteUser(yield* permit(yield* callerOf(rootAdmin), "users:write"), deleted.user_id)
      yield* expectRefusal(recoverAdministrator(deleted.email), "NotFound")
      yield* expectRefusal(recoverAdministrator(deleted.email, { partner_id: aa.partner_id }), "NotFound")
      yield* expectRefusal(recoverAdministrator(deleted.email, { person }), "NotFound")
      yield* expectRefusal(
        recoverAdministrator("none", { person: { ...person, phone: "1", cpf: "11111111111" } }),
        "cpf INVALID_CHECK_DIGIT, email INVALID_FORMAT, phone INVALID_FORMAT"
      )
      const none = deleted.user_id as string as typeof aa.partner_id
      yield* expectRefusal(recoverAdministrator(deleted.email, { partner_id: none, person }), "NotFound")
      yield* setPartnerStatus(aa.partner_id, "inactive")
      const { created, partners_active, password, user_id } = yield* recoverAdministrator(deleted.email, {
        partner_id: aa.partner_id,
        person
      })
      assert.deepStrictEqual([created, partners_active], [true, false])
      yield* setPartnerStatus(aa.partner_id, "active")
      const { access_token } = yield* signIn(deleted.email, Redacted.value(password))
      assert.deepInclude(yield* resolveCaller(access_token), {
        subject: user_id,
        group: "admin",
        partner_id: aa.partner_id
      })
      const users = yield* UserRepository
      const found = yield* users.find(asOperator.scope(aa.partner_id), user_id)
      const stored = yield* Effect.fromResult(judgeFound(found))
      assert.deepInclude(stored.record, { name: "Ana Souza", phone: "11987654321", cpf: "11144477735" })
    })))
})
