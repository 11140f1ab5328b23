import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import {
  authorize,
  authorizeGroups,
  authorizeUserPatch,
  authorizeUserRead,
  holdsAll
} from "../../src/access/Authorization.ts"
import { groups, type GroupSlug } from "../../src/access/Group.ts"
import { type Permission, permissions } from "../../src/access/Permission.ts"
import { anyCaller, makeCaller, otherUser, ownUser, somePermissions } from "../hierarchy/callers.ts"

type Outcome = "allowed" | "PermissionDenied" | "PasswordChangeRequired"

const outcome = (judged: Result.Result<unknown, { readonly _tag: Exclude<Outcome, "allowed"> }>): Outcome =>
  Result.match(judged, { onSuccess: () => "allowed", onFailure: ({ _tag }) => _tag })

/** The table of groups and permissions, written independently. A dot marks a permission the group lacks. */
const matrix: ReadonlyArray<readonly [Permission, ...ReadonlyArray<GroupSlug | ".">]> = [
  ["partners:read", "admin", "manager", "operator", "viewer"],
  ["partners:write", "admin", ".", ".", "."],
  ["users:read", "admin", "manager", ".", "viewer"],
  ["users:write", "admin", "manager", ".", "."],
  ["proposals:read", "admin", "manager", "operator", "viewer"],
  ["fgts:read", "admin", "manager", "operator", "viewer"],
  ["fgts:write", "admin", "manager", "operator", "."],
  ["kyc:read", "admin", "manager", "operator", "."],
  ["audit:read", "admin", ".", ".", "."],
  ["events:read", "admin", "manager", ".", "."],
  ["webhooks:write", "admin", ".", ".", "."],
  ["clients:write", "admin", ".", ".", "."],
  ["commissions:read", "admin", "manager", ".", "."],
  ["commissions:write", "admin", ".", ".", "."]
]

const cases = matrix.flatMap(([permission, ...allowed]) =>
  groups.flatMap(({ permissions: held, slug }) =>
    [new Set(held), new Set([permission]), new Set<Permission>()].flatMap((scope) =>
      [false, true].map((must_change_password) => ({ permission, slug, held, scope, must_change_password, allowed }))
    )
  )
)

describe("authorize", () => {
  it("AUTH-02 covers every permission and every group", () => {
    assert.deepStrictEqual(matrix.map(([permission]) => permission), [...permissions])
    assert.strictEqual(cases.length, 14 * 4 * 3 * 2)
  })

  it("AUTH-02 group, permission, scope and a due password change decide together", () => {
    for (const { allowed, held, must_change_password, permission, scope, slug } of cases) {
      const caller = makeCaller({
        group: slug,
        permissions: new Set(held.filter((one) => scope.has(one))),
        must_change_password
      })
      const expected: Outcome = must_change_password
        ? "PasswordChangeRequired"
        : allowed.includes(slug) && scope.has(permission)
        ? "allowed"
        : "PermissionDenied"
      assert.strictEqual(
        outcome(authorize(caller, permission)),
        expected,
        `${slug} ${permission} ${[...scope].join(" ")}`
      )
    }
  })

  it("AUTH-02 only the permission itself allows an operation", () => {
    fc.assert(
      fc.property(anyCaller, fc.constantFrom(...permissions), (caller, permission) => {
        const judged = authorize(caller, permission)
        assert.strictEqual(Result.isSuccess(judged), !caller.must_change_password && caller.permissions.has(permission))
        if (Result.isSuccess(judged)) assert.strictEqual(judged.success.caller, caller)
      }),
      { numRuns: 1_000 }
    )
  })

  it("AUTH-02 any caller may list the groups unless a password change is due", () => {
    fc.assert(fc.property(anyCaller, (caller) =>
      assert.strictEqual(
        outcome(authorizeGroups(caller)),
        caller.must_change_password ? "PasswordChangeRequired" : "allowed"
      )))
  })
})

describe("authorizeUserRead", () => {
  it("AUTH-03 a user reads itself whatever its permissions, and others with users:read", () => {
    fc.assert(
      fc.property(anyCaller, fc.constantFrom(ownUser, otherUser), (caller, user) => {
        const self = caller.kind === "user" && user === ownUser
        assert.strictEqual(
          outcome(authorizeUserRead(caller, user)),
          caller.must_change_password
            ? "PasswordChangeRequired"
            : self || caller.permissions.has("users:read")
            ? "allowed"
            : "PermissionDenied"
        )
      }),
      { numRuns: 1_000 }
    )
  })

  it("AUTH-03 a client with the id of a user is not that user", () => {
    const client = makeCaller({ kind: "client", subject: ownUser, permissions: new Set() })
    assert.strictEqual(outcome(authorizeUserRead(client, ownUser)), "PermissionDenied")
  })
})

describe("authorizeUserPatch", () => {
  it("AUTH-04 a user patches itself even while a password change is due, and others with users:write", () => {
    fc.assert(
      fc.property(anyCaller, fc.constantFrom(ownUser, otherUser), (caller, user) => {
        const self = caller.kind === "user" && user === ownUser
        assert.strictEqual(
          outcome(authorizeUserPatch(caller, user)),
          self
            ? "allowed"
            : caller.must_change_password
            ? "PasswordChangeRequired"
            : caller.permissions.has("users:write")
            ? "allowed"
            : "PermissionDenied"
        )
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("outranks", () => {
  it("AUTH-05 is true exactly if the caller holds every given permission", () => {
    fc.assert(
      fc.property(anyCaller, somePermissions, (caller, held) => {
        assert.strictEqual(holdsAll(caller, held), [...held].every((one) => caller.permissions.has(one)))
      }),
      { numRuns: 1_000 }
    )
  })

  it("AUTH-05 orders the groups", () => {
    const granted = groups.map((
      { permissions: held, slug }
    ) => [
      slug,
      groups.filter((one) => holdsAll(makeCaller({ permissions: new Set(held) }), one.permissions)).map((one) =>
        one.slug
      )
    ])
    assert.deepStrictEqual(granted, [
      ["admin", ["admin", "manager", "operator", "viewer"]],
      ["manager", ["manager", "operator", "viewer"]],
      ["operator", ["operator"]],
      ["viewer", ["viewer"]]
    ])
  })
})
