import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type Caller } from "../../src/access/Caller.ts"
import { judgeUserDelete } from "../../src/user/DeleteUser.ts"
import { isPasswordOnly, judgeSelfPatch } from "../../src/user/UpdateUser.ts"
import { makeCaller, otherUser, ownUser } from "../hierarchy/callers.ts"

const tag = (judged: Result.Result<unknown, { readonly _tag: string }>): string =>
  Result.match(judged, { onSuccess: () => "allowed", onFailure: ({ _tag }) => _tag })

const viewer = makeCaller({ permissions: new Set(["users:read"]) })
const writer = makeCaller()
const due = (caller: Caller): Caller => makeCaller({ ...caller, must_change_password: true })

const password = { password: "new", current_password: "old" }

describe("judgeSelfPatch", () => {
  it("USER-04 a user without users:write can change only its password", () => {
    for (const body of [{}, password, { password: null }, { current_password: "old" }]) {
      assert.strictEqual(tag(judgeSelfPatch(viewer, ownUser, body)), "allowed")
    }
    for (const body of [{ name: "Bia" }, { ...password, name: "Bia" }, { zzz: 1 }, null, [], "x"]) {
      assert.strictEqual(tag(judgeSelfPatch(viewer, ownUser, body)), "PermissionDenied")
    }
  })

  it("USER-04 a user with users:write can patch any field of itself", () => {
    for (const body of [{}, password, { name: "Bia" }, null]) {
      assert.strictEqual(tag(judgeSelfPatch(writer, ownUser, body)), "allowed")
    }
  })

  it("T39 USER-04 while a password change is due, only a body with just that change passes", () => {
    for (const caller of [due(viewer), due(writer)]) {
      for (const body of [password, { password: "new" }, { password: null }]) {
        assert.strictEqual(tag(judgeSelfPatch(caller, ownUser, body)), "allowed")
      }
      const inherited: unknown = Object.create({ password: "new" })
      for (
        const body of [{}, { current_password: "old" }, { ...password, name: "Bia" }, null, [], "password", inherited]
      ) {
        assert.strictEqual(tag(judgeSelfPatch(caller, ownUser, body)), "PasswordChangeRequired")
      }
    }
  })

  it("USER-04 ignores other users, and clients with the name of a user", () => {
    assert.strictEqual(tag(judgeSelfPatch(viewer, otherUser, { name: "Bia" })), "allowed")
    assert.strictEqual(
      tag(judgeSelfPatch(makeCaller({ ...viewer, kind: "client" }), ownUser, { name: "Bia" })),
      "allowed"
    )
  })

  it("T27 USER-04 a key named __proto__ is a key", () => {
    assert.isFalse(isPasswordOnly(JSON.parse("{\"__proto__\":{\"a\":1},\"password\":\"x\"}")))
  })
})

describe("judgeUserDelete", () => {
  it("USER-05 a user cannot delete itself", () => {
    assert.strictEqual(tag(judgeUserDelete(writer, ownUser)), "SelfDelete")
    assert.strictEqual(tag(judgeUserDelete(writer, otherUser)), "allowed")
    assert.strictEqual(tag(judgeUserDelete(makeCaller({ ...writer, kind: "client" }), ownUser)), "allowed")
  })
})
