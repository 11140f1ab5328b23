import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { authorizeSelf } from "../../src/access/Authorization.ts"
import { permissions } from "../../src/access/Permission.ts"
import { judgeClientRevocation, revokeClient, rotateClientSecret } from "../../src/client/ChangeClient.ts"
import { createClient, getClient } from "../../src/client/CreateClient.ts"
import { getOwnPrincipal } from "../../src/client/GetOwnPrincipal.ts"
import { listClients } from "../../src/client/ListClients.ts"
import { parseIdempotencyKey } from "../../src/idempotency/runOnce.ts"
import { issueToken } from "../../src/identity/IssueToken.ts"
import { callerOfPrincipal, resolveCaller } from "../../src/identity/resolveCaller.ts"
import { createApiClient } from "../../src/operator/apiClients.ts"
import {
  auditEntriesOf,
  callerOf,
  expectRefusal,
  outcomeOf,
  permit,
  runInMemory,
  start,
  storeTwoTrees
} from "../fixtures.ts"

const body = { name: "Integração ERP", group_id: "operator" }

const signIn = (client_id: string, client_secret = "") =>
  issueToken({ grant_type: "client_credentials", client_id, client_secret })

/** Two trees, and the permission of an administrator of the partner `a`. */
const given = Effect.gen(function*() {
  const trees = yield* storeTwoTrees
  return { ...trees, allowed: yield* permit(yield* callerOf(trees.aAdmin), "clients:write") }
})

describe("API clients of callers", () => {
  it.effect("a client is created with a secret that signs it in, and is listed, read and audited", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin, aa, allowed } = yield* given
      const { answer, replayed } = yield* createClient(allowed, { ...body, partner_id: aa.partner_id })
      assert.isFalse(replayed)
      const { client_secret, ...client } = answer
      assert.deepStrictEqual<unknown>(client, {
        client_id: client.client_id,
        name: "Integração ERP",
        partner_id: aa.partner_id,
        group: { group_id: client.group.group_id, slug: "operator", label: "Operador" },
        status: "ACTIVE",
        created_at: start
      })
      assert.deepStrictEqual(yield* getClient(allowed, client.client_id), client)
      const own = (yield* createClient(allowed, { ...body, name: "Outro" })).answer
      assert.strictEqual(own.partner_id, a.partner_id)
      const page = yield* listClients(allowed, { name: "integracao", status: "ACTIVE", group: "operator" })
      assert.deepStrictEqual(page.content, [client])
      assert.strictEqual((yield* listClients(allowed, {})).page.total_elements, 2)
      const { access_token } = yield* signIn(client.client_id, client_secret)
      assert.strictEqual((yield* resolveCaller(access_token)).partner_id, aa.partner_id)
      const [entry] = yield* auditEntriesOf(client.client_id)
      assert.deepStrictEqual([entry?.action, entry?.actor, entry?.partner_id], [
        "client.create",
        aAdmin.user_id,
        aa.partner_id
      ])
    })))

  it.effect("all problems of a request are reported together, with the field of each", () =>
    runInMemory(Effect.gen(function*() {
      const { allowed, b, strangerAdmin } = yield* given
      assert.strictEqual(
        yield* outcomeOf(createClient(allowed, { name: "x", group_id: "nobody", partner_id: b.partner_id, more: 1 })),
        "group_id INVALID_FORMAT, more UNKNOWN_FIELD, name TOO_SHORT, partner_id OUTSIDE_HIERARCHY"
      )
      assert.strictEqual(
        yield* outcomeOf(listClients(allowed, { status: "GONE", sort: "secret" })),
        [
          "query.sort UNKNOWN_VALUE",
          "query.status UNKNOWN_VALUE"
        ].join(", ")
      )
      const { answer } = yield* createClient(allowed, body)
      const stranger = yield* permit(yield* callerOf(strangerAdmin), "clients:write")
      yield* expectRefusal(getClient(stranger, answer.client_id), "OutsideHierarchy")
      yield* expectRefusal(revokeClient(stranger, answer.client_id), "OutsideHierarchy")
      yield* expectRefusal(rotateClientSecret(stranger, answer.client_id, undefined), "OutsideHierarchy")
      yield* expectRefusal(getClient(allowed, "unknown"), "NotFound")
    })))

  it.effect("USER-02 nobody creates, rotates or revokes a client with more permissions than its own", () =>
    runInMemory(Effect.gen(function*() {
      const { aAdmin, allowed } = yield* given
      const narrow = yield* permit(yield* callerOf(aAdmin, ["clients:write", "fgts:read"]), "clients:write")
      yield* expectRefusal(createClient(narrow, body), "PermissionDenied")
      const { client_id } = (yield* createClient(allowed, body)).answer
      yield* expectRefusal(rotateClientSecret(narrow, client_id, undefined), "PermissionDenied")
      yield* expectRefusal(revokeClient(narrow, client_id), "PermissionDenied")
    })))

  it.effect("a replay of a creation or a rotation shows no secret, and changes nothing", () =>
    runInMemory(Effect.gen(function*() {
      const { allowed } = yield* given
      const key = (name: string) => parseIdempotencyKey(name, "key", () => "the same request")
      const first = yield* createClient(allowed, body, key("k1"))
      const again = yield* createClient(allowed, body, key("k1"))
      const { client_secret, ...client } = first.answer
      assert.deepStrictEqual(again, { replayed: true, answer: client })
      assert.strictEqual((yield* listClients(allowed, {})).page.total_elements, 1)
      const rotated = yield* rotateClientSecret(allowed, client.client_id, undefined, key("k2"))
      assert.notStrictEqual(rotated.answer.client_secret, client_secret)
      const repeated = yield* rotateClientSecret(allowed, client.client_id, undefined, key("k2"))
      assert.deepStrictEqual(repeated, { replayed: true, answer: client })
      assert.strictEqual(yield* outcomeOf(signIn(client.client_id, rotated.answer.client_secret)), "done")
    })))

  it.effect("CLIENT-07 the old secret is valid for the overlap, and a second rotation within it needs an overlap of 0", () =>
    runInMemory(Effect.gen(function*() {
      const { allowed } = yield* given
      const { client_id, client_secret } = (yield* createClient(allowed, body)).answer
      const rotate = (request?: unknown) =>
        Effect.map(rotateClientSecret(allowed, client_id, request), ({ answer }) => answer.client_secret)
      const second = yield* rotate({ overlap_hours: 2 })
      for (const one of [client_secret, second]) assert.strictEqual(yield* outcomeOf(signIn(client_id, one)), "done")
      yield* expectRefusal(rotate(), "EarlierSecretValid")
      yield* TestClock.adjust("2 hours")
      assert.notStrictEqual(yield* outcomeOf(signIn(client_id, client_secret)), "done")
      const third = yield* rotate()
      const fourth = yield* rotate({ overlap_hours: 0 })
      for (const one of [second, third]) assert.notStrictEqual(yield* outcomeOf(signIn(client_id, one)), "done")
      assert.strictEqual(yield* outcomeOf(signIn(client_id, fourth)), "done")
      assert.strictEqual(yield* outcomeOf(rotate({ overlap_hours: 721 })), "overlap_hours OUT_OF_RANGE")
    })))

  it.effect("CLIENT-08 a client revokes others but not itself, and a revoked one is listed and cannot sign in", () =>
    runInMemory(Effect.gen(function*() {
      const { a, allowed } = yield* given
      const made = yield* createApiClient(a.partner_id, "admin")
      const caller = yield* callerOfPrincipal("client", made.client.client_id)
      const self = yield* permit(caller, "clients:write")
      yield* expectRefusal(revokeClient(self, made.client.client_id), "SelfDelete")
      const { client_id, client_secret } = (yield* createClient(allowed, body)).answer
      const { access_token } = yield* signIn(client_id, client_secret)
      yield* revokeClient(self, client_id)
      yield* expectRefusal(resolveCaller(access_token), "Unauthenticated")
      assert.notStrictEqual(yield* outcomeOf(signIn(client_id, client_secret)), "done")
      assert.strictEqual((yield* getClient(allowed, client_id)).status, "REVOKED")
      yield* expectRefusal(revokeClient(allowed, client_id), "NotFound")
      yield* expectRefusal(rotateClientSecret(allowed, client_id, undefined), "NotFound")
    })))

  it("CLIENT-08 only the API client itself is refused, not a user or another client", () => {
    const isRefused = (kind: "user" | "client" | "host", subject: string) =>
      Result.isFailure(judgeClientRevocation({ kind, subject }, "erp"))
    assert.deepStrictEqual([isRefused("client", "erp"), isRefused("user", "erp"), isRefused("client", "other")], [
      true,
      false,
      false
    ])
  })

  it.effect("AUTH-31 a caller reads its own record: a user with its fields, an API client with its permissions", () =>
    runInMemory(Effect.gen(function*() {
      const { a, aAdmin } = yield* given
      const user = yield* callerOf(aAdmin, [])
      const own = yield* getOwnPrincipal(yield* Effect.fromResult(authorizeSelf(user)))
      assert.strictEqual("user_id" in own && own.user_id, aAdmin.user_id)
      const { client } = yield* createApiClient(a.partner_id, "admin", { name: "ERP" })
      const caller = yield* callerOfPrincipal("client", client.client_id)
      assert.deepStrictEqual<unknown>(yield* getOwnPrincipal(yield* Effect.fromResult(authorizeSelf(caller))), {
        client_id: client.client_id,
        name: "ERP",
        partner_id: a.partner_id,
        group: { group_id: client.group_id, slug: "admin", label: "Administrador" },
        permissions
      })
    })))
})
