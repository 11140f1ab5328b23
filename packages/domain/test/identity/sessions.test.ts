import { assert, describe, it } from "@effect/vitest"
import { MemoryDatabase } from "@lastro/testkit"
import { Effect, Exit, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { groupBySlug } from "../../src/access/Group.ts"
import { AuditLog } from "../../src/audit/AuditLog.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { RefreshTokenRepository } from "../../src/identity/RefreshToken.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { revokeToken } from "../../src/identity/RevokeToken.ts"
import { exchangeRefreshToken } from "../../src/identity/Session.ts"
import { setPartnerStatus } from "../../src/operator/partners.ts"
import { updateUser } from "../../src/user/UpdateUser.ts"
import { type UserListItem } from "../../src/user/UserDetail.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { callerOf, knownPassword, permitUserPatch, runInMemory, storeMember, storeTwoTrees } from "../fixtures.ts"

/** Signs in and returns the refresh token. */
const signIn = Effect.fnUntraced(function*({ email }: UserListItem, scope = "") {
  const { refresh_token } = yield* issueToken({
    grant_type: "password",
    username: email,
    password: knownPassword,
    scope
  })
  return refresh_token ?? ""
})

const exchange = (refresh_token: string, scope = "") =>
  issueToken({ grant_type: "refresh_token", refresh_token, scope })

/** Exchanges a refresh token. Returns the next one, or the error. */
const next = (refresh_token: string, scope = "") =>
  Effect.match(exchange(refresh_token, scope), {
    onSuccess: (response) => response.refresh_token ?? "",
    onFailure: (refused) => refused._tag === "TokenRefused" ? refused.error : refused._tag
  })

const setUp = Effect.gen(function*() {
  const trees = yield* storeTwoTrees
  return { ...trees, manager: yield* storeMember(trees.aa, "manager") }
})

describe("sessions", () => {
  it.effect("AUTH-08 continue through refresh tokens, each valid once", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const first = yield* signIn(manager)
      const second = yield* next(first)
      const third = yield* next(second)
      assert.strictEqual(new Set([first, second, third, "invalid_grant"]).size, 4)
    })))

  it.effect("AUTH-08 end permanently when a spent refresh token is reused after 10 s; other sessions continue", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const other = yield* signIn(manager)
      const first = yield* signIn(manager)
      const second = yield* next(first)
      yield* TestClock.adjust(10_001)
      assert.strictEqual(yield* next(first), "invalid_grant")
      assert.strictEqual(yield* next(second), "invalid_grant")
      assert.strictEqual(yield* next(first), "invalid_grant")
      assert.notStrictEqual(yield* next(other), "invalid_grant")
    })))

  it.effect("AUTH-20 a repeated exchange gets the same successor for 10 s, and the session continues", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const first = yield* signIn(manager)
      const second = yield* next(first)
      const { state } = yield* MemoryDatabase
      const stored = (yield* state).refreshTokens
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* next(first), second)
      assert.deepStrictEqual((yield* state).refreshTokens, stored, "a repeated exchange stores nothing")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* next(first), "invalid_grant")
      assert.strictEqual(yield* next(second), "invalid_grant")
    })))

  it.effect("AUTH-27 an exchange repeated after its successor was spent ends the session, with and without a client", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      for (const client of [null, "erp"]) {
        const successor = (token: Redacted.Redacted) =>
          Effect.map(
            exchangeRefreshToken(token, client, () => Effect.void),
            Option.match({ onNone: () => Redacted.make("ended"), onSome: ({ token }) => token })
          )
        const first = Redacted.make(yield* signIn(manager))
        const third = yield* successor(yield* successor(first))
        assert.notStrictEqual(Redacted.value(third), "ended")
        assert.strictEqual(Redacted.value(yield* successor(first)), "ended")
        assert.strictEqual(Redacted.value(yield* successor(third)), "ended")
      }
    })))

  it.effect("AUTH-07 USER-07 end their access tokens for good: revoked, reused, or of a user who was inactive", () =>
    runInMemory(Effect.gen(function*() {
      const { a, manager } = yield* setUp
      const admin = yield* callerOf(yield* storeMember(a, "admin"))
      const setStatus = Effect.fnUntraced(function*(status: "ACTIVE" | "INACTIVE") {
        yield* updateUser(yield* permitUserPatch(admin, manager.user_id), manager.user_id, { status })
      })
      const start = issueToken({ grant_type: "password", username: manager.email, password: knownPassword })
      const works = (token: string) => Effect.isSuccess(resolveCaller(token))
      const [one, other] = [yield* start, yield* start]
      yield* revokeToken({ token: one.refresh_token ?? "" })
      assert.deepStrictEqual([yield* works(one.access_token), yield* works(other.access_token)], [false, true])
      yield* setStatus("INACTIVE")
      yield* setStatus("ACTIVE")
      assert.isFalse(yield* works(other.access_token))
      const again = yield* start
      assert.isTrue(yield* works(again.access_token))
      const refreshed = yield* exchange(again.refresh_token ?? "")
      assert.isTrue(yield* works(again.access_token), "a spent refresh token does not end the session")
      yield* TestClock.adjust("11 seconds")
      assert.strictEqual(yield* next(again.refresh_token ?? ""), "invalid_grant")
      assert.isFalse(yield* works(refreshed.access_token))
    })))

  it.effect("AUTH-20 concurrent exchanges of a refresh token get one successor", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const first = yield* signIn(manager)
      const all = yield* Effect.all(Array.from({ length: 5 }, () => next(first)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(all).size, 1)
      const second = all[0] ?? ""
      assert.notInclude([first, "invalid_grant"], second)
      assert.notInclude([first, second, "invalid_grant"], yield* next(second))
    })))

  it.effect("AUTH-20 a repeated exchange checks the user, the password and the scope again", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, root } = yield* setUp
      const first = yield* signIn(manager, "users:read")
      const second = yield* next(first)
      assert.strictEqual(yield* next(first, "partners:write"), "invalid_scope")
      yield* setPartnerStatus(root.partner_id, "inactive")
      assert.strictEqual(yield* next(first), "invalid_grant")
      yield* setPartnerStatus(root.partner_id, "active")
      assert.strictEqual(yield* next(first), second)
      yield* revokeToken({ token: second })
      assert.strictEqual(yield* next(first), "invalid_grant")
    })))

  it.effect("AUTH-20 a repeated exchange by another client ends the session", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const first = yield* signIn(manager)
      const successor = (client: string | null) =>
        Effect.map(
          exchangeRefreshToken(Redacted.make(first), client, () => Effect.void),
          Option.map(({ token }) => Redacted.value(token))
        )
      const second = yield* successor("erp")
      assert.isTrue(Option.isSome(second))
      assert.deepStrictEqual(yield* successor("erp"), second)
      assert.isTrue(Option.isNone(yield* successor(null)))
      assert.isTrue(Option.isNone(yield* successor("erp")))
      assert.strictEqual(yield* next(Option.getOrThrow(second)), "invalid_grant")
    })))

  it.effect("AUTH-20 an exchange whose successor is not stored cannot be repeated", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const first = yield* signIn(manager)
      yield* (yield* RefreshTokenRepository).spend(Redacted.make(first), yield* currentTimestamp, null)
      assert.strictEqual(yield* next(first), "invalid_grant")
    })))

  it.effect("AUTH-08 last 30 days from the latest refresh token", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const first = yield* signIn(manager)
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* next(first), "invalid_grant")
      const second = yield* signIn(manager)
      yield* TestClock.adjust(30 * 86_400_000 - 1)
      const third = yield* next(second)
      assert.notStrictEqual(third, "invalid_grant")
      yield* TestClock.adjust("29 days")
      assert.notStrictEqual(yield* next(third), "invalid_grant")
    })))

  it.effect("AUTH-01 never exceed the scope granted at sign-in or the live group", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, rootAdmin } = yield* setUp
      const narrow = yield* signIn(manager, "users:read users:write")
      assert.strictEqual(yield* next(narrow, "fgts:read"), "invalid_scope")
      const narrower = yield* exchange(narrow, "users:read")
      assert.strictEqual(narrower.scope, "users:read")
      const whole = yield* exchange(narrower.refresh_token ?? "")
      assert.strictEqual(whole.scope, "users:read users:write")
      const { user_id } = manager
      const allowed = yield* permitUserPatch(yield* callerOf(rootAdmin), user_id)
      yield* updateUser(allowed, user_id, { group_id: groupBySlug("viewer").group_id })
      const demoted = yield* exchange(whole.refresh_token ?? "")
      assert.strictEqual(demoted.scope, "users:read")
      yield* updateUser(allowed, user_id, { group_id: groupBySlug("admin").group_id })
      assert.strictEqual((yield* exchange(demoted.refresh_token ?? "")).scope, "users:read users:write")
    })))

  it.effect("AUTH-08 a refusal does not spend the refresh token", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, root } = yield* setUp
      const first = yield* signIn(manager)
      const { state } = yield* MemoryDatabase
      assert.strictEqual(yield* next(first, "partners:write"), "invalid_scope")
      yield* setPartnerStatus(root.partner_id, "inactive")
      const before = yield* state
      assert.strictEqual(yield* next(first), "invalid_grant")
      assert.deepStrictEqual(yield* state, before)
      yield* setPartnerStatus(root.partner_id, "active")
      assert.notStrictEqual(yield* next(first), "invalid_grant")
    })))

  it.effect("T08 AUTH-08 a refresh token issued for another password is invalid, revoked or not", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, rootAdmin } = yield* setUp
      const first = yield* signIn(manager)
      const allowed = yield* permitUserPatch(yield* callerOf(rootAdmin), manager.user_id)
      const tokens = yield* RefreshTokenRepository
      // An earlier version could store a session after the password change.
      yield* Effect.provideService(
        updateUser(allowed, manager.user_id, { password: "another password" }),
        RefreshTokenRepository,
        { ...tokens, revokeUser: () => Effect.void }
      )
      assert.strictEqual(yield* next(first), "invalid_grant")
    })))

  it.effect("T08 AUTH-10 return no token while the user is inactive", () =>
    runInMemory(Effect.gen(function*() {
      const { manager, rootAdmin } = yield* setUp
      const first = yield* signIn(manager)
      const allowed = yield* permitUserPatch(yield* callerOf(rootAdmin), manager.user_id)
      yield* updateUser(allowed, manager.user_id, { status: "INACTIVE" })
      assert.strictEqual(yield* next(first), "invalid_grant")
    })))

  it.effect("AUTH-08 revoking any refresh token ends its session; an unknown token is not an error", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const other = yield* signIn(manager)
      const first = yield* signIn(manager)
      const second = yield* next(first)
      yield* revokeToken({ token: first })
      assert.strictEqual(yield* next(second), "invalid_grant")
      yield* revokeToken({ token: "unknown" })
      yield* revokeToken({ token: second })
      assert.notStrictEqual(yield* next(other), "invalid_grant")
    })))

  it.effect("audit their beginning and end once each, without tokens", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const { state } = yield* MemoryDatabase
      const stolen = yield* signIn(manager)
      const second = yield* next(stolen)
      yield* TestClock.adjust("11 seconds")
      for (const spent of [stolen, stolen, second]) assert.strictEqual(yield* next(spent), "invalid_grant")
      const left = yield* signIn(manager)
      for (const token of [left, left, stolen, "unknown"]) yield* revokeToken({ token: token })
      const { audit, refreshTokens } = yield* state
      const families = Array.from(new Set(Array.from(refreshTokens.values(), ({ family_id }) => family_id)))
      const by = { actor: manager.user_id, partner_id: manager.partner_id, before: null, after: null, changed: [] }
      assert.deepStrictEqual<unknown>(audit.map(({ at: _, id: __, request_id: ___, ...entry }) => entry), [
        { ...by, action: "session.start", subject_id: families[0] },
        { ...by, action: "session.reuse", subject_id: families[0] },
        { ...by, action: "session.start", subject_id: families[1] },
        { ...by, action: "session.revoke", subject_id: families[1] }
      ])
      for (const token of [stolen, second, left]) assert.notInclude(JSON.stringify(audit), token)
    })))

  it.effect("do not begin if the audit cannot be written", () =>
    runInMemory(Effect.gen(function*() {
      const { manager } = yield* setUp
      const { state } = yield* MemoryDatabase
      const before = yield* state
      const broken = Effect.provideService(signIn(manager), AuditLog, { record: () => Effect.die("injected fault") })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(broken)))
      assert.deepStrictEqual((yield* state).refreshTokens, before.refreshTokens)
    })))
})
