import { assert, describe, it } from "@effect/vitest"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import { storeChildPartner, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { newPartner, newUser } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply } from "../client.ts"
import { givenCaller, tokenFor } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const root = yield* storeRootPartner()
  const { token } = yield* givenCaller(root)
  const create = (key: string, json: unknown, path = "/api/v1/partners", as = token) =>
    server.send(path, { token: as, json, headers: { "idempotency-key": key } })
  const total = Effect.map(server.send("/api/v1/partners", { token }), (reply) => at(reply, "page", "total_elements"))
  return { server, root, token, create, total }
})

const firstAgain = (again: Reply, first: Reply) => {
  assert.strictEqual(again.status, 201)
  assert.strictEqual(again.text, first.text)
  for (const name of ["etag", "location"]) assert.strictEqual(again.headers.get(name), first.headers.get(name), name)
  assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
}

describe("Idempotency-Key", () => {
  it.effect("T51 replays the first response to a request with the same key", () =>
    withServer(Effect.gen(function*() {
      const { create, server, token, total } = yield* arrange
      const body = yield* newPartner()
      const first = yield* create("key-1", body)
      assert.strictEqual(first.status, 201)
      assert.isNull(first.headers.get("idempotency-replayed"))
      const before = yield* total
      firstAgain(yield* create("key-1", body), first)
      firstAgain(
        yield* create("key-1", { partner: Object.fromEntries(Object.entries(body.partner).toReversed()) }),
        first
      )
      assert.strictEqual(yield* total, before)
      const user = yield* newUser()
      const hired = yield* create("key-2", user, "/api/v1/users")
      assert.isString(at(hired, "data", "temporary_password"))
      const again = yield* create("key-2", user, "/api/v1/users")
      firstAgain(again, hired)
      assert.strictEqual(again.headers.get("cache-control"), "no-store")
      const found = yield* server.send(`/api/v1/users?email=${encodeURIComponent(user.email)}`, { token })
      assert.strictEqual(at(found, "page", "total_elements"), 1)
    })))

  it.effect("T51 refuses a different request with a used key", () =>
    withServer(Effect.gen(function*() {
      const { create, total } = yield* arrange
      assert.strictEqual((yield* create("key", yield* newPartner())).status, 201)
      const before = yield* total
      const reused = yield* create("key", yield* newPartner())
      assert.deepStrictEqual([reused.status, codeOf(reused)], [422, "IDEMPOTENCY_KEY_REUSED"])
      const elsewhere = yield* create("key", yield* newUser(), "/api/v1/users")
      assert.strictEqual(codeOf(elsewhere), "IDEMPOTENCY_KEY_REUSED")
      assert.strictEqual(yield* total, before)
    })))

  it.effect("T51 replays the creation of a deleted record, but not of one moved out of the hierarchy", () =>
    withServer(Effect.gen(function*() {
      const { create, root, server } = yield* arrange
      const [branch, other] = [yield* storeChildPartner(root), yield* storeChildPartner(root)]
      const { token } = yield* givenCaller(branch)
      const above = (yield* givenCaller(root)).token
      const body = yield* newPartner()
      const partner = yield* create("partner", body, "/api/v1/partners", token)
      const path = `/api/v1/partners/${String(at(partner, "data", "partner_id"))}`
      assert.strictEqual((yield* server.send(path, { method: "DELETE", token })).status, 204)
      firstAgain(yield* create("partner", body, "/api/v1/partners", token), partner)
      const reused = yield* create("partner", yield* newPartner(), "/api/v1/partners", token)
      assert.deepStrictEqual([reused.status, codeOf(reused)], [422, "IDEMPOTENCY_KEY_REUSED"])
      const user = yield* newUser()
      const hired = yield* create("user", user, "/api/v1/users", token)
      const moved = yield* server.send(`/api/v1/users/${String(at(hired, "data", "user_id"))}`, {
        method: "PATCH",
        token: above,
        json: { partner_id: other.partner_id }
      })
      assert.strictEqual(moved.status, 200)
      for (const json of [user, yield* newUser()]) {
        const refused = yield* create("user", json, "/api/v1/users", token)
        assert.deepStrictEqual([refused.status, codeOf(refused)], [403, "OUTSIDE_HIERARCHY"])
        assert.notInclude(refused.text, "temporary_password")
      }
    })))

  it.effect("T51 keys are separate for each caller", () =>
    withServer(Effect.gen(function*() {
      const { create, root } = yield* arrange
      const other = yield* givenCaller(root)
      const mine = yield* create("key", yield* newPartner())
      const theirs = yield* create("key", yield* newPartner(), "/api/v1/partners", other.token)
      assert.deepStrictEqual([mine.status, theirs.status], [201, 201])
      assert.notStrictEqual(at(mine, "data", "partner_id"), at(theirs, "data", "partner_id"))
    })))

  it.effect("T51 refuses a request while the first one with its key is running; a retry succeeds", () =>
    withServer(
      Effect.gen(function*() {
        const { create } = yield* arrange
        const reply = yield* create("key", yield* newPartner())
        assert.deepStrictEqual([reply.status, codeOf(reply)], [409, "IDEMPOTENCY_IN_FLIGHT"])
        assert.match(reply.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
      }),
      {
        instead: Layer.effect(
          IdempotencyStore,
          Effect.map(IdempotencyStore, (store) => ({ ...store, claim: () => Effect.succeed(false) }))
        )
      }
    ))

  it.effect("T51 executes one of many concurrent requests", () =>
    withServer(Effect.gen(function*() {
      const { create, total } = yield* arrange
      const body = yield* newPartner()
      const before = yield* total
      const replies = yield* Effect.replicateEffect(create("key", body), 8, { concurrency: "unbounded" })
      assert.strictEqual(new Set(replies.map(({ text }) => text)).size, 1)
      assert.strictEqual(replies.filter(({ headers }) => headers.get("idempotency-replayed") === "true").length, 7)
      assert.strictEqual(yield* total, Number(before) + 1)
    })))

  it.effect("a refused request does not use its key", () =>
    withServer(Effect.gen(function*() {
      const { create } = yield* arrange
      const wrong = yield* newPartner({ name: "" })
      assert.strictEqual((yield* create("key", wrong)).status, 422)
      assert.strictEqual((yield* create("key", yield* newPartner())).status, 201)
    })))

  it.effect("keeps a response for 24 hours", () =>
    withServer(Effect.gen(function*() {
      const { create, root } = yield* arrange
      const { user } = yield* givenCaller(root)
      const at = (key: string, json: unknown) =>
        Effect.flatMap(tokenFor("user", user.user_id, "admin"), (token) => create(key, json, "/api/v1/partners", token))
      const body = yield* newPartner()
      const first = yield* at("key", body)
      yield* TestClock.adjust("24 hours")
      firstAgain(yield* at("key", body), first)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(codeOf(yield* at("key", body)), "DOCUMENT_TAKEN", "the request happens anew")
      assert.strictEqual((yield* at("key", yield* newPartner())).status, 201)
    })))

  it.effect("refuses an invalid key by its header", () =>
    withServer(Effect.gen(function*() {
      const { create } = yield* arrange
      for (const key of ["a b", "", "a".repeat(256), "é"]) {
        const reply = yield* create(key, yield* newPartner())
        assert.strictEqual(reply.status, 422, key)
        assert.deepStrictEqual(problemsOf(reply), ["header.Idempotency-Key INVALID_FORMAT"])
      }
      assert.strictEqual((yield* create("~".repeat(255), yield* newPartner())).status, 201)
    })))
})
