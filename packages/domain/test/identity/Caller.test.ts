import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  authorize,
  authorizeGroups,
  authorizeUserPatch,
  authorizeUserRead,
  holdsAll
} from "../../src/access/Authorization.ts"
import { type Caller, checkCaller } from "../../src/access/Caller.ts"
import { personalDataView } from "../../src/access/PersonalDataView.ts"
import { judgeSelfPatch } from "../../src/user/UpdateUser.ts"
import { makeCaller, otherUser, ownUser } from "../hierarchy/callers.ts"

const caller = makeCaller({ permissions: new Set(["users:read"]) })

/** Copies and imitations of a caller. */
const forgeries: ReadonlyArray<readonly [string, unknown]> = [
  ["a spread copy", { ...caller, permissions: new Set(["users:read", "users:write"]) }],
  ["a structured clone", structuredClone(caller)],
  ["an assigned copy", Object.assign({}, caller)],
  ["a JSON copy", JSON.parse(JSON.stringify(caller))],
  ["an object with its prototype", Object.assign(Object.create(Object.getPrototypeOf(caller)), { ...caller })],
  ["an object that inherits from it", Object.create(caller)],
  ["a Result", { _tag: "Success", success: caller }],
  ["nothing", undefined],
  ["null", null],
  ["a subject", caller.subject]
]

describe("Caller", () => {
  it("AUTH-23 a hand-made caller or a copy of a caller is refused by every check", () => {
    assert.strictEqual(checkCaller(caller), caller)
    for (const [name, forgery] of forgeries) {
      const forged = forgery as Caller
      const checks = [
        () => checkCaller(forged),
        () => authorize(forged, "users:read"),
        () => authorizeGroups(forged)
      ]
      for (const check of checks) {
        assert.throws(check, TypeError, /callerOfToken, callerOfUser, callerOfClient or callerAt/, name)
      }
    }
    const copy = structuredClone(caller)
    assert.throws(() => authorizeUserRead(copy, ownUser), TypeError)
    assert.throws(() => authorizeUserPatch(copy, ownUser), TypeError)
  })

  it("AUTH-23 the constructor of a caller creates no other caller", () => {
    const { constructor } = caller as unknown as {
      readonly constructor: new(...fields: ReadonlyArray<unknown>) => Caller
    }
    const fields = { ...caller, group: "admin" }
    class Derived extends constructor {}
    for (const forge of [() => new constructor(fields), () => new constructor({}, fields), () => new Derived(fields)]) {
      assert.throws(forge, TypeError, /Only Lastro creates callers/)
    }
  })

  it("AUTH-23 the permissions that a check reads cannot be changed by a method of Set", () => {
    const narrow = makeCaller({ permissions: new Set(["users:read"]) })
    for (const added of ["users:write", "kyc:read"]) Set.prototype.add.call(narrow.permissions, added)
    assert.isTrue(Result.isFailure(authorize(narrow, "users:write")))
    assert.isTrue(Result.isFailure(authorizeUserPatch(narrow, otherUser)))
    assert.isFalse(holdsAll(narrow, ["users:write"]))
    assert.isTrue(Result.isFailure(judgeSelfPatch(narrow, ownUser, { name: "Bia" })))
    assert.strictEqual(personalDataView(narrow), "masked")
  })

  it("AUTH-23 a caller cannot be changed", () => {
    assert.throws(() => Object.assign(caller, { group: "admin" }), TypeError)
    const permissions = caller.permissions as Set<string>
    for (
      const change of [
        () => permissions.add("users:write"),
        () => permissions.delete("users:read"),
        () => permissions.clear()
      ]
    ) {
      assert.throws(change, TypeError, /cannot be changed/)
    }
    assert.deepStrictEqual([...caller.permissions], ["users:read"])
  })

  it("AUTH-23 a literal and a copy do not compile", () => {
    // @ts-expect-error A copy lacks the private field.
    const copy: Caller = { ...caller }
    assert.throws(() => checkCaller(copy), TypeError)
  })
})
