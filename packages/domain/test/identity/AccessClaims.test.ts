import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { createCaller } from "../../src/access/Caller.ts"
import { groupBySlug, type GroupId, groups } from "../../src/access/Group.ts"
import { permissions } from "../../src/access/Permission.ts"
import {
  claimsOf,
  judgeClaims,
  judgePrincipal,
  judgeSubject,
  Unauthenticated
} from "../../src/identity/AccessClaims.ts"
import { type Principal } from "../../src/identity/Principal.ts"
import { otherPartner, ownPartner, ownUser, somePermissions } from "../hierarchy/callers.ts"

const manager = groupBySlug("manager")

const principal: Principal = {
  kind: "user",
  subject: ownUser,
  partner_id: ownPartner,
  root_id: otherPartner,
  group_id: manager.group_id,
  active: true,
  partners_active: true,
  credentials_version: 3,
  must_change_password: false
}
const claims = claimsOf(principal, "manager", new Set(manager.permissions))

const reason = (live: Partial<Principal> | null, changes: Partial<typeof claims> = {}): string =>
  Result.match(
    judgeClaims({ ...claims, ...changes }, live === null ? Option.none() : Option.some({ ...principal, ...live })),
    { onSuccess: () => "caller", onFailure: (refusal) => refusal.reason }
  )

describe("claimsOf", () => {
  it("contains the principal, its partner and the granted scope", () => {
    assert.deepStrictEqual(claimsOf(principal, "manager", new Set(["fgts:read", "users:read"])), {
      sub: ownUser,
      client_id: "lastro",
      group: "manager",
      scope: "users:read fgts:read",
      partner_snapshot_uuid: ownPartner,
      credentials_version: 3
    })
  })

  it("distinguishes users from clients", () => {
    const client = claimsOf({ ...principal, kind: "client", subject: "erp" }, "manager", new Set())
    assert.strictEqual(client.client_id, "erp")
    assert.deepStrictEqual(judgeSubject(client), Result.succeed({ kind: "client", subject: "erp" }))
    assert.deepStrictEqual(judgeSubject(claims), Result.succeed({ kind: "user", subject: ownUser }))
  })
})

describe("judgeSubject", () => {
  const refused = Result.fail(new Unauthenticated({ reason: "claims" }))

  it("AUTH-19 every issued token identifies its principal", () => {
    const subjects = fc.oneof(
      fc.uuid().map((subject) => ({ kind: "user" as const, subject })),
      fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/).filter((subject) => subject !== "lastro")
        .map((subject) => ({ kind: "client" as const, subject }))
    )
    fc.assert(fc.property(subjects, (key) => {
      const issued = claimsOf({ ...principal, ...key }, "manager", new Set())
      assert.deepStrictEqual(judgeSubject(issued), Result.succeed(key))
    }))
  })

  it("T06 AUTH-19 a token whose `client_id` is not its client's is refused, and so is an impossible `sub`", () => {
    fc.assert(fc.property(fc.string(), fc.string(), (sub, client_id) => {
      fc.pre(sub !== client_id && client_id !== "lastro")
      assert.deepStrictEqual(judgeSubject({ ...claims, sub, client_id }), refused)
    }))
    for (const sub of ["\u0000", "", "erp", "lastro", `${ownUser}\u0000`, "' or 1=1", "a".repeat(65)]) {
      assert.deepStrictEqual(judgeSubject({ ...claims, sub }), refused)
    }
    for (const sub of ["\u0000", "", "erp\u0000", "é", "a".repeat(65)]) {
      assert.deepStrictEqual(judgeSubject({ ...claims, sub, client_id: sub }), refused)
    }
  })
})

describe("judgeClaims", () => {
  it("AUTH-07 a valid token makes the live principal its caller", () => {
    assert.deepStrictEqual(
      judgeClaims(claims, Option.some({ ...principal, must_change_password: true })),
      Result.succeed(
        createCaller({
          subject: ownUser,
          kind: "user",
          partner_id: ownPartner,
          root_id: otherPartner,
          group: "manager",
          permissions: new Set(manager.permissions),
          must_change_password: true
        })
      )
    )
  })

  it("T08 AUTH-07 a deleted or inactive principal, partner or ancestor is rejected", () => {
    assert.strictEqual(reason({}), "caller")
    assert.strictEqual(reason(null), "unknown")
    assert.strictEqual(reason({ active: false }), "inactive")
    assert.strictEqual(reason({ partners_active: false }), "inactive")
    assert.strictEqual(reason({ group_id: ownUser as string as GroupId }), "inactive")
  })

  it("T06 AUTH-07 a token for another partner or without a partner is rejected", () => {
    for (
      const partner_snapshot_uuid of [otherPartner, "", "null", "'; --", ownPartner.toUpperCase(), `${ownPartner} `]
    ) {
      assert.strictEqual(reason({}, { partner_snapshot_uuid }), "stale", partner_snapshot_uuid)
    }
    assert.strictEqual(reason({ partner_id: otherPartner }), "stale")
  })

  it("AUTH-07 a token issued for another password is rejected", () => {
    for (const credentials_version of [2, 4, 0, -3]) assert.strictEqual(reason({ credentials_version }), "stale")
  })

  it("AUTH-07 permissions are those of the live group narrowed by the token's scope, whatever the group at issue", () => {
    fc.assert(
      fc.property(somePermissions, fc.constantFrom(...groups), fc.constantFrom(...groups), (scope, issued, live) => {
        const judged = judgeClaims(
          claimsOf(principal, issued.slug, scope),
          Option.some({ ...principal, group_id: live.group_id })
        )
        const caller = Result.getOrThrow(judged)
        assert.strictEqual(caller.group, live.slug)
        for (const one of permissions) {
          assert.strictEqual(caller.permissions.has(one), scope.has(one) && live.permissions.includes(one))
        }
      }),
      { numRuns: 1_000 }
    )
  })

  it("AUTH-07 a scope of unknown permissions allows nothing", () => {
    const judged = judgeClaims({ ...claims, scope: "* admin users:*" }, Option.some(principal))
    assert.strictEqual(Result.getOrThrow(judged).permissions.size, 0)
  })
})

describe("judgePrincipal", () => {
  it("AUTH-13 a principal without a token becomes the same caller as with a token for its whole group", () => {
    fc.assert(fc.property(
      fc.constantFrom(...groups),
      fc.constantFrom("user" as const, "client" as const),
      fc.record({ active: fc.boolean(), partners_active: fc.boolean(), must_change_password: fc.boolean() }),
      ({ group_id, permissions: held, slug }, kind, state) => {
        const live = Option.some({ ...principal, ...state, kind, group_id })
        assert.deepStrictEqual(
          judgePrincipal(live),
          judgeClaims(claimsOf({ ...principal, kind, group_id }, slug, new Set(held)), live)
        )
        assert.strictEqual(Result.isSuccess(judgePrincipal(live)), state.active && state.partners_active)
      }
    ))
    assert.isTrue(Result.isFailure(judgePrincipal(Option.none())))
    assert.isTrue(
      Result.isFailure(judgePrincipal(Option.some({ ...principal, group_id: ownUser as string as GroupId })))
    )
  })
})
