import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { groupBySlug } from "../../src/access/Group.ts"
import { ApiClientRepository } from "../../src/identity/ApiClient.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { PrincipalRepository } from "../../src/identity/Principal.ts"
import { resolveCaller } from "../../src/identity/resolveCaller.ts"
import { createApiClient, judgeClientSecret, revokeApiClient, rotateApiClient } from "../../src/operator/apiClients.ts"
import { type PartnerId } from "../../src/values/ids.ts"
import { auditEntriesOf, expectRefusal, outcomeOf, runInMemory, start, storeTwoTrees } from "../fixtures.ts"

const signIn = (client_id: string, secret: Redacted.Redacted) =>
  outcomeOf(issueToken({ grant_type: "client_credentials", client_id, client_secret: Redacted.value(secret) }))

const storedSecret = (client_id: string) =>
  Effect.map(
    Effect.flatMap(PrincipalRepository, ({ findByClientId }) => findByClientId(client_id)),
    (found) => Option.match(found, { onNone: () => "", onSome: ({ hash }): string => hash })
  )

describe("API clients", () => {
  it.effect("are created for a partner, with generated or chosen id and secret", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const made = yield* createApiClient(aa.partner_id, "operator")
      assert.deepStrictEqual(made.client, {
        client_id: made.client.client_id,
        name: made.client.client_id,
        partner_id: aa.partner_id,
        group_id: groupBySlug("operator").group_id,
        created_at: start,
        revoked_at: null
      })
      assert.strictEqual(yield* signIn(made.client.client_id, made.secret), "done")
      const secret = Redacted.make("a-chosen-secret~")
      yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp", secret })
      assert.strictEqual(yield* signIn("erp", secret), "done")
      assert.strictEqual((yield* (yield* ApiClientRepository).listAll).length, 2)
    })))

  it.effect("CLIENT-01 require an existing partner and a free, valid id", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aa, rootAdmin } = yield* storeTwoTrees
      yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      yield* expectRefusal(createApiClient(rootAdmin.user_id as string as PartnerId, "viewer"), "NotFound")
      yield* expectRefusal(createApiClient(a.partner_id, "viewer", { client_id: "erp" }), "ClientIdTaken")
      yield* expectRefusal(createApiClient(a.partner_id, "viewer", { client_id: "lastro" }), "ClientIdTaken")
      yield* expectRefusal(createApiClient(a.partner_id, "viewer", { client_id: "a b" }), "ClientIdMalformed")
      yield* expectRefusal(createApiClient(a.partner_id, "viewer", { client_id: "" }), "ClientIdMalformed")
    })))

  it.effect("CLIENT-02 reject a chosen secret that is short or that client libraries encode differently", () =>
    runInMemory(Effect.gen(function*() {
      const { a } = yield* storeTwoTrees
      for (const secret of ["", "short", "a secret with spaces"]) {
        const chosen = { client_id: "erp", secret: Redacted.make(secret) }
        yield* expectRefusal(createApiClient(a.partner_id, "viewer", chosen), "ClientSecretMalformed")
      }
    })))

  it.effect("rotating the secret without an overlap invalidates the old one", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const { secret: old } = yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      const { secret } = yield* rotateApiClient("erp", { overlap: 0 })
      assert.strictEqual(yield* signIn("erp", old), "TokenRefused")
      assert.strictEqual(yield* signIn("erp", secret), "done")
      yield* expectRefusal(rotateApiClient("unknown"), "NotFound")
    })))

  it.effect("CLIENT-05 CLIENT-06 T08 rotating the secret keeps the old one and its tokens for 24 hours, and no longer", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const { secret: old } = yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      const { secret } = yield* rotateApiClient("erp")
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* signIn("erp", old), "done")
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(yield* signIn("erp", old), "done")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* signIn("erp", old), "TokenRefused")
      assert.strictEqual(yield* signIn("erp", secret), "done")
    })))

  it.effect("CLIENT-05 T08 a token ends with the secret that it was issued with", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const first = (yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })).secret
      const issue = (secret: Redacted.Redacted) =>
        Effect.map(
          issueToken({ grant_type: "client_credentials", client_id: "erp", client_secret: Redacted.value(secret) }),
          ({ access_token }) => access_token
        )
      const judge = (token: string) =>
        Effect.match(resolveCaller(token), { onSuccess: () => "valid", onFailure: ({ reason }) => reason })
      const before = yield* issue(first)
      const second = (yield* rotateApiClient("erp", { overlap: "2 minutes" })).secret
      const tokens = [before, yield* issue(first), yield* issue(second)]
      const judgeAll = Effect.forEach(tokens, judge)
      assert.deepStrictEqual(yield* judgeAll, ["valid", "valid", "valid"])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* judgeAll, ["stale", "stale", "valid"])
      // Only the secret before the present one overlaps, and an overlap of 0 ends it too.
      const third = (yield* rotateApiClient("erp")).secret
      assert.deepStrictEqual(yield* judgeAll, ["stale", "stale", "valid"])
      assert.deepStrictEqual([yield* signIn("erp", first), yield* signIn("erp", second)], ["TokenRefused", "done"])
      yield* rotateApiClient("erp", { overlap: 0 })
      assert.deepStrictEqual(yield* judgeAll, ["stale", "stale", "stale"])
      assert.deepStrictEqual([yield* signIn("erp", second), yield* signIn("erp", third)], [
        "TokenRefused",
        "TokenRefused"
      ])
    })))

  it.effect("CLIENT-07 a second rotation does not end a secret that is still valid, unless the operator ends it explicitly", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const { secret: used } = yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      const { ended_earlier, secret: second } = yield* rotateApiClient("erp")
      assert.isFalse(ended_earlier)
      yield* expectRefusal(rotateApiClient("erp"), "EarlierSecretValid")
      assert.deepStrictEqual([yield* signIn("erp", used), yield* signIn("erp", second)], ["done", "done"])
      const third = yield* rotateApiClient("erp", { ends_earlier: true })
      assert.isTrue(third.ended_earlier)
      assert.deepStrictEqual([yield* signIn("erp", used), yield* signIn("erp", second)], ["TokenRefused", "done"])
      yield* TestClock.adjust("24 hours")
      assert.isFalse((yield* rotateApiClient("erp")).ended_earlier)
      assert.isTrue((yield* rotateApiClient("erp", { overlap: 0 })).ended_earlier)
    })))

  it.effect("CLIENT-06 refuse an overlap that is not from 0 to 30 days", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      for (const overlap of ["-1 second", "31 days", "Infinity", "soon"]) {
        yield* expectRefusal(rotateApiClient("erp", { overlap: overlap as "1 day" }), "OverlapMalformed")
      }
      yield* rotateApiClient("erp", { overlap: "30 days" })
    })))

  it.effect("CLIENT-03 store a fast hash of a generated secret, and a slow one of a chosen secret", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const chosen = Redacted.make("nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4AI")
      yield* createApiClient(aa.partner_id, "viewer", { client_id: "generated" })
      yield* createApiClient(aa.partner_id, "viewer", { client_id: "rotated", secret: chosen })
      const { secret } = yield* rotateApiClient("rotated")
      yield* createApiClient(aa.partner_id, "viewer", { client_id: "chosen", secret: chosen })
      for (const client_id of ["generated", "rotated"]) {
        assert.match(yield* storedSecret(client_id), /^generated:\$not-secure-generated\$/)
      }
      assert.strictEqual(yield* signIn("rotated", secret), "done")
      assert.match(yield* storedSecret("chosen"), /^chosen:\$not-secure\$/)
    })))

  it.effect("CLIENT-04 the next use replaces a slow hash of unknown origin, if the secret looks generated", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const generated = Redacted.make("nEyelS3JTJpW1T77QKMR-GFHIShrf2eT_mcWFHIB4AI")
      const weak = Redacted.make("a-weak-chosen-secret")
      const hasher = yield* PasswordHasher
      const clients = yield* ApiClientRepository
      // The form in which earlier versions stored every secret.
      for (const [client_id, secret] of [["old", generated], ["weak", weak], ["chosen", generated]] as const) {
        yield* createApiClient(aa.partner_id, "viewer", { client_id, secret })
        if (client_id !== "chosen") yield* clients.setSecret(client_id, yield* hasher.hash(secret))
      }
      const [old, weakBefore, chosen] = yield* Effect.forEach(["old", "weak", "chosen"], storedSecret)
      yield* signIn("old", Redacted.make("wrong"))
      assert.strictEqual(yield* storedSecret("old"), old, "a wrong secret replaces nothing")
      const { access_token } = yield* issueToken({
        grant_type: "client_credentials",
        client_id: "old",
        client_secret: Redacted.value(generated)
      })
      assert.match(yield* storedSecret("old"), /^generated:/)
      assert.strictEqual((yield* resolveCaller(access_token)).subject, "old", "tokens stay valid")
      assert.strictEqual(yield* signIn("old", generated), "done")
      assert.strictEqual(yield* signIn("old", Redacted.make("wrong")), "TokenRefused")
      assert.strictEqual(yield* signIn("weak", weak), "done")
      assert.strictEqual(yield* storedSecret("weak"), weakBefore)
      assert.strictEqual(yield* signIn("chosen", generated), "done")
      assert.strictEqual(yield* storedSecret("chosen"), chosen)
    })))

  it.effect("are revoked permanently", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const { secret } = yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      yield* TestClock.adjust("1 second")
      yield* revokeApiClient("erp")
      assert.strictEqual(yield* signIn("erp", secret), "TokenRefused")
      const client = yield* (yield* ApiClientRepository).find("erp")
      assert.deepStrictEqual(
        Option.map(client, ({ revoked_at }) => revoked_at),
        Option.some("2026-01-31T12:00:01.000Z" as typeof start)
      )
      yield* expectRefusal(rotateApiClient("erp"), "NotFound")
      yield* expectRefusal(revokeApiClient("erp"), "NotFound")
      yield* expectRefusal(createApiClient(aa.partner_id, "viewer", { client_id: "erp" }), "ClientIdTaken")
    })))

  it.effect("audit their changes without secrets", () =>
    runInMemory(Effect.gen(function*() {
      const { aa } = yield* storeTwoTrees
      const { secret: first } = yield* createApiClient(aa.partner_id, "viewer", { client_id: "erp" })
      const { secret: second } = yield* rotateApiClient("erp")
      yield* revokeApiClient("erp")
      const entries = yield* auditEntriesOf("erp")
      assert.deepStrictEqual(
        entries.map(({ action, actor, partner_id, request_id }) => [action, actor, partner_id, request_id]),
        [
          ["client.create", "operator", aa.partner_id, null],
          ["client.rotate", "operator", aa.partner_id, null],
          ["client.revoke", "operator", aa.partner_id, null]
        ]
      )
      const live = {
        client_id: "erp",
        name: "***",
        partner_id: aa.partner_id,
        group_id: groupBySlug("viewer").group_id,
        revoked_at: null
      }
      assert.deepStrictEqual<unknown>(
        entries.map(({ after, before, changed }) => ({ before, after, changed })),
        [
          { before: null, after: live, changed: [] },
          { before: null, after: live, changed: [] },
          { before: live, after: { ...live, revoked_at: start }, changed: ["revoked_at"] }
        ]
      )
      for (const secret of [first, second]) assert.notInclude(JSON.stringify(entries), Redacted.value(secret))
    })))
})

const tag = (secret: string): string =>
  Result.match(judgeClientSecret(Redacted.make(secret)), { onSuccess: Redacted.value, onFailure: ({ _tag }) => _tag })

describe("judgeClientSecret", () => {
  it("CLIENT-02 a chosen client secret has 16 to 128 visible ASCII characters", () => {
    for (const secret of ["x".repeat(16), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "~".repeat(128)]) {
      assert.strictEqual(tag(secret), secret)
    }
    const rest = "x".repeat(16)
    for (const secret of ["", "x".repeat(15), "x".repeat(129)]) {
      assert.strictEqual(tag(secret), "ClientSecretMalformed", JSON.stringify(secret))
    }
    for (const character of [" ", "\n", "\t", "\u0000", "\u007f", "\u00a0", "é", "🏦"]) {
      for (const secret of [`${rest}${character}`, `${character}${rest}`]) {
        assert.strictEqual(tag(secret), "ClientSecretMalformed", JSON.stringify(secret))
      }
    }
  })
})
