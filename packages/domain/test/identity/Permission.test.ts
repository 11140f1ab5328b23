import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { formatScope, narrowScope, parseScope, permissions, ScopeExceeded } from "../../src/access/Permission.ts"
import { somePermissions } from "../hierarchy/callers.ts"

const exceeded = Result.fail(new ScopeExceeded())

/** Scope texts as clients may send them: known and unknown names, whitespace, and names of inherited properties. */
const requested = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<string>(...permissions) },
    fc.constantFrom("", "*", "admin", "users:", "USERS:READ", "users:read\t", "__proto__", "constructor", "toString"),
    fc.string({ maxLength: 4 })
  ),
  { maxLength: 6 }
).map((names) => names.join(" "))

describe("narrowScope", () => {
  it("AUTH-01 the granted scope never exceeds the held permissions", () => {
    fc.assert(
      fc.property(somePermissions, fc.option(requested, { nil: undefined }), (held, scope) => {
        const given = narrowScope(held, scope)
        if (Result.isSuccess(given)) { for (const one of given.success) assert.isTrue(held.has(one)) }
      }),
      { numRuns: 2_000 }
    )
  })

  it("AUTH-01 a requested scope is granted in full or refused", () => {
    fc.assert(
      fc.property(somePermissions, requested, (held, scope) => {
        const names = scope.split(" ").filter((name) => name !== "")
        const fits = names.every((name) => [...held].some((one) => one === name))
        assert.deepStrictEqual(
          Result.map(narrowScope(held, scope), (given): ReadonlyArray<string> => [...given].toSorted()),
          fits ? Result.succeed(names.length === 0 ? [...held].toSorted() : [...new Set(names)].toSorted()) : exceeded
        )
      }),
      { numRuns: 2_000 }
    )
  })

  it("AUTH-01 an empty request grants everything; an unknown permission is refused", () => {
    const held = new Set(["users:read", "fgts:read"] as const)
    for (const nothing of [undefined, "", " ", "   "]) {
      assert.deepStrictEqual(narrowScope(held, nothing), Result.succeed(held))
    }
    for (
      const wrong of ["users:read users:write", "users:write", "users", "users:read,fgts:read", "users:read\tfgts:read"]
    ) {
      assert.deepStrictEqual(narrowScope(held, wrong), exceeded, wrong)
    }
  })
})

describe("formatScope", () => {
  it("writes what readScope reads, in a fixed order", () => {
    fc.assert(fc.property(somePermissions, (granted) => {
      assert.deepStrictEqual(parseScope(formatScope(granted)), granted)
      assert.strictEqual(formatScope(new Set([...granted].toReversed())), formatScope(granted))
    }))
  })

  it("unknown names are ignored when reading", () => {
    assert.deepStrictEqual([...parseScope("users:read root constructor  users:read")], ["users:read"])
  })
})
