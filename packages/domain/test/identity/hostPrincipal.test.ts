import { assert, describe, it } from "@effect/vitest"
import { callerOf, cpf, partnerId } from "@lastro/testkit/arbitraries"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { authorizeGroups } from "../../src/access/Authorization.ts"
import { callerKey } from "../../src/access/Caller.ts"
import { groups } from "../../src/access/Group.ts"
import { permissions } from "../../src/access/Permission.ts"
import { scopeOf } from "../../src/hierarchy/Scope.ts"
import { claimsOf, judgeClaims } from "../../src/identity/AccessClaims.ts"
import {
  type HostPrincipal,
  judgeHostPrincipal,
  parseHostPrincipal,
  parseHostSubject
} from "../../src/identity/HostPrincipal.ts"
import { type UserId } from "../../src/values/ids.ts"
import { ownPartner, ownUser } from "../hierarchy/callers.ts"

const place = (partners_active = true) => Option.some({ partner_id: ownPartner, root_id: ownPartner, partners_active })

const problemsOf = (input: unknown): ReadonlyArray<string> =>
  Result.match(parseHostPrincipal(input), {
    onSuccess: () => [],
    onFailure: ({ problems }) => problems.map(({ code, field }) => `${field} ${code}`)
  })

const callerAt = (host: HostPrincipal) => Result.getOrThrow(judgeHostPrincipal(host, place()))

describe("judgeHostPrincipal", () => {
  it("AUTH-24 a caller has exactly the partner, the group and the subject that the host names", () => {
    const caller = callerAt({ subject: "auth0|5f7c", group: "operator" })
    assert.deepInclude(caller, {
      subject: "host:auth0|5f7c",
      kind: "host",
      partner_id: ownPartner,
      group: "operator",
      must_change_password: false
    })
    assert.strictEqual(callerKey(caller), "host:host:auth0|5f7c")
  })

  it("AUTH-24 an unknown partner, and one that is inactive or below an inactive one, are refused like a token", () => {
    const host: HostPrincipal = { subject: "u-1", group: "viewer" }
    const reasonOf = (where: Parameters<typeof judgeHostPrincipal>[1]) =>
      Result.match(judgeHostPrincipal(host, where), { onSuccess: () => "", onFailure: ({ reason }) => reason })
    assert.strictEqual(reasonOf(Option.none()), "unknown")
    assert.strictEqual(reasonOf(place(false)), "inactive")
  })

  it("AUTH-24 the permissions and the subtree never exceed those of a token of the same group at the same partner", () => {
    const cases = fc.tuple(
      fc.constantFrom(...groups),
      partnerId,
      partnerId,
      fc.boolean(),
      fc.option(fc.subarray([...permissions]), { nil: undefined }),
      fc.constantFrom("user" as const, "client" as const)
    )
    fc.assert(fc.property(cases, ([{ group_id, slug }, partner_id, root_id, partners_active, narrowed, kind]) => {
      const principal = {
        kind,
        subject: ownUser,
        partner_id,
        root_id,
        group_id,
        active: true,
        partners_active,
        credentials_version: 1,
        must_change_password: false
      }
      const byToken = judgeClaims(claimsOf(principal, slug, new Set(permissions)), Option.some(principal))
      const parsed = parseHostPrincipal({ subject: "u-1", group: slug, permissions: narrowed })
      const byHost = Result.flatMap(
        parsed,
        (host) => judgeHostPrincipal(host, Option.some({ partner_id, root_id, partners_active }))
      )
      if (Result.isFailure(byHost)) return
      const [token, host] = [Result.getOrThrow(byToken), byHost.success]
      assert.isEmpty([...host.permissions].filter((one) => !token.permissions.has(one)))
      const [ofHost, ofToken] = [host, token].map((one) => scopeOf(Result.getOrThrow(authorizeGroups(one))).partner_id)
      assert.deepStrictEqual([ofHost, host.root_id, host.group], [ofToken, token.root_id, token.group])
    }))
  })

  it("AUTH-24 the subject of a host's user never equals that of a user or API client", () => {
    const pairs = fc.tuple(
      callerOf({ partner_id: ownPartner, root_id: ownPartner }),
      fc.oneof(fc.string({ unit: fc.constantFrom(..."abc019._-:"), minLength: 1 }), fc.constant<string>(ownUser))
    )
    fc.assert(fc.property(pairs, ([other, subject]) => {
      fc.pre(other.kind !== "host")
      const caller = callerAt({ subject, group: "viewer" })
      assert.notStrictEqual(caller.subject, other.subject)
      assert.notStrictEqual(callerKey(caller), callerKey(other))
    }))
  })
})

describe("parseHostSubject", () => {
  it("AUTH-25 accepts the ids of common identity providers", () => {
    for (
      const subject of [
        "1",
        "auth0|5f7c8ec7c33c6c004bbafe82",
        "google-oauth2|103547991597142817347",
        "f:0a1b:maria",
        "user_2NNEqL2nrIRdJ194ndJqAHwEfxC",
        "a/b+c=~d.e-f",
        "x".repeat(128),
        ownUser satisfies UserId
      ]
    ) assert.deepStrictEqual(parseHostSubject(subject), Result.succeed(subject))
  })

  it("AUTH-25 refuses empty and long subjects, other characters, and personal data", () => {
    const codeOf = (subject: string) =>
      Result.match(parseHostSubject(subject), { onSuccess: () => "", onFailure: ({ code }) => code })
    assert.strictEqual(codeOf(""), "TOO_SHORT")
    assert.strictEqual(codeOf("x".repeat(129)), "TOO_LONG")
    for (
      const subject of [
        "maria@example.com",
        "a b",
        "a\nb",
        "joão",
        "11144477735",
        "111.444.777-35",
        "11.222.333/0001-81"
      ]
    ) assert.strictEqual(codeOf(subject), "INVALID_FORMAT", subject)
    fc.assert(fc.property(cpf, (one) => codeOf(one) === "INVALID_FORMAT"))
  })
})

describe("parseHostPrincipal", () => {
  it("AUTH-26 permissions only narrow those of the group, and each refused value is named", () => {
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "viewer", permissions: ["fgts:read"] }), [])
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "viewer", permissions: [] }), [])
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "viewer", permissions: undefined }), [])
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "viewer", permissions: ["fgts:read", "users:write"] }), [
      "permissions[1] UNKNOWN_VALUE"
    ])
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "viewer", permissions: ["everything"] }), [
      "permissions[0] UNKNOWN_VALUE"
    ])
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "king" }), ["group UNKNOWN_VALUE"])
    assert.deepStrictEqual(problemsOf({ subject: 7, group: "viewer" }), ["subject INVALID_TYPE"])
    // A misspelt field would otherwise grant every permission of the group.
    assert.deepStrictEqual(problemsOf({ subject: "u", group: "viewer", permission: ["fgts:read"] }), [
      "permission UNKNOWN_FIELD"
    ])
    for (const input of [undefined, null, "u", []]) assert.isNotEmpty(problemsOf(input))
  })
})
