import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, Option, Redacted } from "effect"
import { groupBySlug } from "../../src/access/Group.ts"
import { asOperator } from "../../src/hierarchy/Scope.ts"
import { activeGroup } from "../../src/identity/AccessClaims.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { PrincipalRepository } from "../../src/identity/Principal.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { TokenSigner } from "../../src/identity/TokenSigner.ts"
import { createApiClient, revokeApiClient } from "../../src/operator/apiClients.ts"
import { setPartnerStatus } from "../../src/operator/partners.ts"
import { UserRepository } from "../../src/user/UserRepository.ts"
import { knownPassword, outcomeOf, runInMemory, storeMember, storeTwoTrees } from "../fixtures.ts"

/** The error of a token request, or `done`. */
const refusal = (body: unknown) =>
  Effect.match(issueToken(body), {
    onSuccess: () => "done",
    onFailure: (refused) => refused._tag === "TokenRefused" ? `${refused.error}: ${refused.description}` : refused._tag
  })

const wrongUser = "invalid_grant: The username or the password is wrong."
const wrongClient = "invalid_client: The client is unknown or its secret is wrong."

describe("issueToken", () => {
  it.effect("returns an access token and a refresh token to a user", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const body = { grant_type: "password", username: viewer.email.toUpperCase(), password: knownPassword }
      const { access_token, refresh_token, ...rest } = yield* issueToken(body)
      assert.deepStrictEqual(rest, {
        token_type: "Bearer",
        expires_in: 900,
        scope: "partners:read users:read proposals:read fgts:read"
      })
      assert.isString(refresh_token)
      const { sid, ...claims } = yield* (yield* TokenSigner).verify(access_token)
      const { refreshTokens } = yield* (yield* MemoryDatabase).state
      assert.deepStrictEqual(Array.from(refreshTokens.values(), ({ family_id }) => family_id), [sid])
      assert.deepStrictEqual(claims, {
        sub: viewer.user_id,
        client_id: "lastro",
        group: "viewer",
        scope: rest.scope,
        partner_snapshot_uuid: a.partner_id,
        credentials_version: 0
      })
      const caller = yield* resolveCaller(access_token)
      assert.deepStrictEqual(caller.permissions, new Set(groupBySlug("viewer").permissions))
    })))

  it.effect("T23 AUTH-17 accepts a password in any Unicode form, and a stored hash of the form as sent", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const hasher = yield* PasswordHasher
      const users = yield* UserRepository
      const [composed, decomposed] = ["coração é sempre ágil", "coração é sempre ágil".normalize("NFD")]
      const member = yield* storeMember(a, "viewer")
      const signIn = (password: string) => refusal({ grant_type: "password", username: member.email, password })
      for (const [stored, accepted] of [[composed, [composed, decomposed]], [decomposed, [decomposed]]] as const) {
        const hash = yield* hasher.hash(Redacted.make(stored))
        yield* users.setPassword(asOperator.inScope({ ...member, partners: [] }), hash)
        for (const password of accepted) assert.strictEqual(yield* signIn(password), "done")
        assert.strictEqual(yield* signIn(`${composed} `), wrongUser)
      }
    })))

  it.effect("returns only an access token to a client", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, root } = yield* storeTwoTrees
      const { client, secret } = yield* createApiClient(aa.partner_id, "operator", { client_id: "erp" })
      const body = { grant_type: "client_credentials", client_id: "erp", client_secret: Redacted.value(secret) }
      const response = yield* issueToken({ ...body, scope: "fgts:write fgts:read" })
      assert.notProperty(response, "refresh_token")
      assert.strictEqual(response.scope, "fgts:read fgts:write")
      const caller = yield* resolveCaller(response.access_token)
      assert.deepInclude(caller, {
        subject: client.client_id,
        kind: "client",
        partner_id: aa.partner_id,
        root_id: root.partner_id
      })
      assert.deepStrictEqual(caller.permissions, new Set(["fgts:read", "fgts:write"] as const))
    })))

  it.effect("T36 unknown names and wrong secrets are refused identically, for users and clients", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      yield* createApiClient(a.partner_id, "admin", { client_id: "erp" })
      const user = { grant_type: "password", password: "wrong wrong wrong" }
      assert.strictEqual(yield* refusal({ ...user, username: viewer.email }), wrongUser)
      assert.strictEqual(yield* refusal({ ...user, username: "nobody@example.com" }), wrongUser)
      assert.strictEqual(yield* refusal({ ...user, username: viewer.user_id }), wrongUser)
      const client = { grant_type: "client_credentials", client_secret: "wrong" }
      assert.strictEqual(yield* refusal({ ...client, client_id: "erp" }), wrongClient)
      assert.strictEqual(yield* refusal({ ...client, client_id: "nobody" }), wrongClient)
      assert.strictEqual(yield* refusal({ ...client, client_id: "lastro" }), wrongClient)
    })))

  it.effect("AUTH-10 an inactive user or a user below an inactive partner gets no token", () =>
    runInMemory(Effect.gen(function*() {
      const { aa, root } = yield* storeTwoTrees
      const inactive = yield* storeMember(aa, "viewer", { status: "INACTIVE" })
      const active = yield* storeMember(aa, "viewer")
      const { secret } = yield* createApiClient(aa.partner_id, "admin", { client_id: "erp" })
      const user = { grant_type: "password", password: knownPassword }
      const client = { grant_type: "client_credentials", client_id: "erp", client_secret: Redacted.value(secret) }
      assert.strictEqual(yield* refusal({ ...user, username: inactive.email }), wrongUser)
      assert.strictEqual(yield* refusal({ ...user, username: active.email }), "done")
      assert.strictEqual(yield* refusal(client), "done")
      yield* setPartnerStatus(root.partner_id, "inactive")
      assert.strictEqual(yield* refusal({ ...user, username: active.email }), wrongUser)
      assert.strictEqual(yield* refusal(client), wrongClient)
      yield* setPartnerStatus(root.partner_id, "active")
      assert.strictEqual(yield* refusal(client), "done")
      yield* revokeApiClient("erp")
      assert.strictEqual(yield* refusal(client), wrongClient)
    })))

  it.effect("AUTH-10 the live group applies", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin } = yield* storeTwoTrees
      const principal = yield* Effect.fromOption(yield* (yield* PrincipalRepository).find("user", aAdmin.user_id))
      assert.deepStrictEqual(activeGroup(principal), Option.some(groupBySlug("admin")))
      assert.deepStrictEqual(activeGroup({ ...principal, active: false }), Option.none())
      assert.deepStrictEqual(activeGroup({ ...principal, partners_active: false }), Option.none())
    })))

  it.effect("AUTH-01 a scope beyond the group is refused for every principal", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const { secret } = yield* createApiClient(a.partner_id, "viewer", { client_id: "erp" })
      const user = { grant_type: "password", username: viewer.email, password: knownPassword }
      const client = { grant_type: "client_credentials", client_id: "erp", client_secret: Redacted.value(secret) }
      for (const body of [user, client]) {
        for (const scope of ["users:write", "users:read users:write", "admin"]) {
          assert.match(yield* refusal({ ...body, scope }), /^invalid_scope: /)
        }
        assert.strictEqual(yield* refusal({ ...body, scope: "users:read" }), "done")
      }
      assert.strictEqual((yield* (yield* MemoryDatabase).state).refreshTokens.size, 1)
    })))

  it.effect("T39 a user with a due password change gets a token for that change only", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const { email } = yield* storeMember(a, "admin", { must_change_password: true })
      const { access_token } = yield* issueToken({ grant_type: "password", username: email, password: knownPassword })
      assert.isTrue((yield* resolveCaller(access_token)).must_change_password)
    })))

  it.effect("AUTH-11 a client that sends credentials with a user's is authenticated first", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      const { secret } = yield* createApiClient(a.partner_id, "viewer", { client_id: "erp" })
      const right = { client_id: "erp", client_secret: Redacted.value(secret) }
      const wrong = { ...right, client_secret: "wrong" }
      const user = { grant_type: "password", username: viewer.email, password: knownPassword }
      const { refresh_token } = yield* issueToken({ ...user, ...right })
      const session = { grant_type: "refresh_token", refresh_token }
      assert.strictEqual(yield* refusal({ ...user, ...wrong }), wrongClient)
      assert.strictEqual(yield* refusal({ ...user, password: "wrong", ...wrong }), wrongClient)
      assert.strictEqual(yield* refusal({ ...session, ...wrong }), wrongClient)
      assert.strictEqual(yield* refusal({ ...user, client_id: "nobody" }), "done")
      assert.strictEqual(yield* refusal({ ...user, password: "wrong", ...right }), wrongUser)
      assert.strictEqual(yield* refusal({ ...session, ...right }), "done", "a refused client has not spent it")
      yield* revokeApiClient("erp")
      assert.strictEqual(yield* refusal({ ...user, ...right }), wrongClient)
    })))

  it.effect("AUTH-09 wrong client secrets beside a user's credentials lock the client, not the user", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      const viewer = yield* storeMember(a, "viewer")
      yield* createApiClient(a.partner_id, "viewer", { client_id: "erp" })
      const user = { grant_type: "password", username: viewer.email, password: knownPassword }
      const wrong = refusal({ ...user, client_id: "erp", client_secret: "wrong" })
      for (let attempt = 0; attempt < 5; attempt++) assert.strictEqual(yield* wrong, wrongClient)
      assert.strictEqual(yield* wrong, "TooManyAttempts")
      assert.strictEqual(yield* refusal(user), "done")
    })))

  it.effect("AUTH-11 an incomplete request gets the error of RFC 6749", () =>
    runInMemory(Effect.gen(function*() {
      yield* storeTwoTrees
      assert.match(yield* refusal({}), /^invalid_request: /)
      assert.match(yield* refusal({ grant_type: "implicit" }), /^unsupported_grant_type: /)
      assert.match(yield* refusal({ grant_type: "refresh_token", refresh_token: "unknown" }), /^invalid_grant: /)
      assert.strictEqual(yield* outcomeOf(resolveCaller("unknown")), "Unauthenticated")
    })))
})
