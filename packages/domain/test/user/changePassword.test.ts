import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, Redacted, Ref, Result } from "effect"
import { groupBySlug } from "../../src/access/Group.ts"
import { asOperator } from "../../src/hierarchy/Scope.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { ClientAddress } from "../../src/identity/verifySecret.ts"
import { judgeChoice } from "../../src/user/passwordChange.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { type UserListItem } from "../../src/user/UserDetail.ts"
import { UserRepository } from "../../src/user/UserRepository.ts"
import { type UserId } from "../../src/values/ids.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  knownPassword,
  outcomeOf,
  permitUserPatch,
  runInMemory,
  storeMember,
  storeTwoTrees
} from "../fixtures.ts"

const password = "a better password"

const signIn = ({ email }: UserListItem, secret: string) =>
  issueToken({ grant_type: "password", username: email, password: secret })

const patchSelf = Effect.fnUntraced(function*(user: UserListItem, body: unknown) {
  return yield* updateUser(yield* permitUserPatch(yield* callerOf(user), user.user_id), user.user_id, body)
})

describe("changing a password", () => {
  it.effect("changing one's own ends every session and token, and clears the due change", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer", { must_change_password: true })
      const session = yield* signIn(viewer, knownPassword)
      const changed = yield* patchSelf(viewer, { password, current_password: knownPassword })
      assert.isFalse(changed.must_change_password)
      assert.strictEqual(yield* outcomeOf(resolveCaller(session.access_token)), "Unauthenticated")
      const refresh = { grant_type: "refresh_token", refresh_token: session.refresh_token }
      assert.strictEqual(yield* outcomeOf(issueToken(refresh)), "TokenRefused")
      assert.strictEqual(yield* outcomeOf(signIn(viewer, knownPassword)), "TokenRefused")
      assert.strictEqual(yield* outcomeOf(signIn(viewer, password)), "done")
      const [entry] = yield* auditEntriesOf(viewer.user_id)
      assert.deepInclude(entry, { action: "user.password", actor: viewer.user_id })
      assert.notMatch(JSON.stringify(entry), /password"?:"|not-secure/)
    })))

  it.effect("AUTH-18 refuses a new password that is easy to guess, and an old one still signs in", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const old = "unbelievable"
      const viewer = yield* storeMember(a, "viewer", { name: "Zoraide Quintão", email: "zoraide.q@example.com" })
      const hash = yield* (yield* PasswordHasher).hash(Redacted.make(old))
      yield* (yield* UserRepository).setPassword(asOperator.inScope({ ...viewer, partners: [] }), hash)
      assert.strictEqual(yield* outcomeOf(signIn(viewer, old)), "done")
      assert.include(a.name, "Exemplo")
      const easy = ["administrator", "            ", "zoraidequintao", "Zoraide.Q@example.com", "Exemplo@2026ab"]
      for (const guessable of easy) {
        const patch = { password: guessable, current_password: old }
        yield* expectRefusal(patchSelf(viewer, patch), "password GUESSABLE")
        const byAdmin = yield* permitUserPatch(yield* callerOf(aAdmin), viewer.user_id)
        yield* expectRefusal(updateUser(byAdmin, viewer.user_id, patch), "password GUESSABLE")
      }
      const renamed = { password: "joana d'arc 1431", name: "Joana d'Arc" }
      const byAdmin = yield* permitUserPatch(yield* callerOf(aAdmin), viewer.user_id)
      yield* expectRefusal(updateUser(byAdmin, viewer.user_id, renamed), "password GUESSABLE")
      assert.strictEqual(yield* outcomeOf(patchSelf(viewer, { password, current_password: old })), "done")
    })))

  it.effect("changing another user's requires no current password, and makes a new change due", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const session = yield* signIn(viewer, knownPassword)
      const allowed = yield* permitUserPatch(yield* callerOf(aAdmin), viewer.user_id)
      const changed = yield* updateUser(allowed, viewer.user_id, { password, name: "Outro Nome" })
      assert.deepInclude(changed, { must_change_password: true, name: "Outro Nome" })
      assert.strictEqual(yield* outcomeOf(resolveCaller(session.access_token)), "Unauthenticated")
      assert.strictEqual(yield* outcomeOf(signIn(viewer, password)), "done")
    })))

  it.effect("reports its problems together with all others, and changes nothing", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [{ password }, "current_password REQUIRED"],
        [{ password, current_password: null }, "current_password NOT_NULLABLE"],
        [{ password, current_password: 1 }, "current_password INVALID_TYPE"],
        [{ password, current_password: "wrong" }, "current_password MISMATCH"],
        [{ password: "short", current_password: "wrong" }, "current_password MISMATCH, password TOO_SHORT"],
        [{ password: null, current_password: knownPassword }, "password NOT_NULLABLE"],
        [{ password: {}, current_password: knownPassword }, "password INVALID_TYPE"],
        [{ password: `${password}\u0000`, current_password: knownPassword }, "password INVALID_FORMAT"],
        [{ current_password: 1 }, "current_password INVALID_TYPE"],
        [{ current_password: null }, "current_password NOT_NULLABLE"]
      ]
      const self = yield* permitUserPatch(yield* callerOf(viewer), viewer.user_id)
      for (const [body, expected] of cases) yield* expectRefusal(updateUser(self, viewer.user_id, body), expected)
      const other = yield* permitUserPatch(yield* callerOf(aAdmin), viewer.user_id)
      yield* expectRefusal(
        updateUser(other, viewer.user_id, { password: "short", name: "", current_password: 1 }),
        "current_password INVALID_TYPE, name TOO_SHORT, password TOO_SHORT"
      )
      assert.strictEqual(yield* outcomeOf(signIn(viewer, knownPassword)), "done")
    })))

  it.effect("USER-06 T39 the new password must differ from the current one, so no temporary password is kept", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer", { must_change_password: true })
      const same = { password: knownPassword, current_password: knownPassword }
      yield* expectRefusal(patchSelf(viewer, same), "password SUPERSEDED")
      const wrong = { password, current_password: password }
      yield* expectRefusal(patchSelf(viewer, wrong), "current_password MISMATCH, password SUPERSEDED")
      const byAdmin = yield* permitUserPatch(yield* callerOf(aAdmin), viewer.user_id)
      assert.strictEqual(yield* outcomeOf(updateUser(byAdmin, viewer.user_id, same)), "done")
    })))

  it("USER-06 passwords are compared exactly, in NFC", () => {
    assert.isTrue(Result.isFailure(judgeChoice("a b", "a b")))
    assert.isTrue(Result.isFailure(judgeChoice("\u00e9", "e\u0301")))
    for (const [chosen, current] of [["A b", "a b"], ["a b ", "a b"], ["e", "\u00e9"], [null, undefined]]) {
      assert.isTrue(Result.isSuccess(judgeChoice(chosen, current ?? undefined)))
    }
  })

  it.effect("AUTH-09 a patch that is refused before its body verifies and hashes nothing", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, aa, b } = yield* storeTwoTrees
      const viewer = yield* storeMember(aa, "viewer")
      const outsider = yield* storeMember(b, "viewer")
      const hasher = yield* PasswordHasher
      const unused = PasswordHasher.of({
        ...hasher,
        hash: () => Effect.die("hashed"),
        verify: () => Effect.die("verified")
      })
      const patch = Effect.fnUntraced(function*(caller: UserListItem, id: UserId, body: unknown) {
        return yield* updateUser(yield* permitUserPatch(yield* callerOf(caller), id), id, body, () => false)
      }, Effect.provideService(PasswordHasher, unused))
      const body = { password, current_password: "wrong" }
      yield* expectRefusal(patch(viewer, viewer.user_id, body), "PreconditionFailed")
      yield* expectRefusal(patch(aAdmin, viewer.user_id, body), "PreconditionFailed")
      yield* expectRefusal(patch(aAdmin, outsider.user_id, body), "OutsideHierarchy")
      yield* expectRefusal(patch(aAdmin, aa.partner_id as string as UserId, body), "NotFound")
      const manager = yield* storeMember(aa, "manager")
      const stronger = { ...body, group_id: groupBySlug("admin").group_id }
      yield* expectRefusal(patch(manager, viewer.user_id, stronger), "PermissionDenied")
      assert.deepStrictEqual(yield* Ref.get((yield* MemoryDatabase).failedLogins), [])
    })))

  it.effect("the precondition is checked again under the lock", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const allowed = yield* permitUserPatch(yield* callerOf(viewer), viewer.user_id)
      let judged = 0
      const change = updateUser(
        allowed,
        viewer.user_id,
        { password, current_password: knownPassword },
        () => ++judged < 2
      )
      yield* expectRefusal(change, "PreconditionFailed")
      assert.strictEqual(judged, 2)
    })))

  it.effect("T39 while a change is due, a user can patch nothing else of itself", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const admin = yield* storeMember(a, "admin", { must_change_password: true })
      for (const body of [{}, { name: "Eu" }, { password, current_password: knownPassword, name: "Eu" }, null]) {
        const self = yield* permitUserPatch(yield* callerOf(admin), admin.user_id)
        yield* expectRefusal(updateUser(self, admin.user_id, body), "PasswordChangeRequired")
      }
    })))

  it.effect("AUTH-09 wrong current passwords count like failed sign-ins and lock the same pair", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const wrong = patchSelf(viewer, { password, current_password: "wrong" })
      for (let attempt = 0; attempt < 5; attempt++) yield* expectRefusal(wrong, "current_password MISMATCH")
      yield* expectRefusal(wrong, "TooManyAttempts")
      yield* expectRefusal(patchSelf(viewer, { password, current_password: knownPassword }), "TooManyAttempts")
      assert.strictEqual(yield* outcomeOf(signIn(viewer, knownPassword)), "TooManyAttempts")
      const elsewhere = Effect.provideService(signIn(viewer, knownPassword), ClientAddress, "192.0.2.9")
      assert.strictEqual(yield* outcomeOf(elsewhere), "done")
      const failed = yield* Ref.get((yield* MemoryDatabase).failedLogins)
      assert.deepStrictEqual(new Set(failed.map(({ username }) => username)), new Set([`user:${viewer.email}`]))
    })))

  it.effect("a current password replaced while the new one is hashed is no longer accepted", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const hasher = yield* PasswordHasher
      const byAdmin = yield* permitUserPatch(yield* callerOf(aAdmin), viewer.user_id)
      const replace = Effect.orDie(updateUser(byAdmin, viewer.user_id, { password: "the admin's choice" }))
      const context = yield* Effect.context<Effect.Services<typeof replace>>()
      // The new password is hashed after the current one is verified, and before the transaction.
      const late = PasswordHasher.of({
        ...hasher,
        hash: (secret) => Effect.andThen(Effect.provideContext(replace, context), hasher.hash(secret))
      })
      const change = patchSelf(viewer, { password, current_password: knownPassword })
      assert.strictEqual(
        yield* outcomeOf(Effect.provideService(change, PasswordHasher, late)),
        "current_password MISMATCH"
      )
      assert.strictEqual(yield* outcomeOf(signIn(viewer, password)), "TokenRefused")
      assert.strictEqual(yield* outcomeOf(signIn(viewer, "the admin's choice")), "done")
    })))
})
