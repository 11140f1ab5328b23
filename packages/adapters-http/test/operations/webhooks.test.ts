import { assert, describe, it } from "@effect/vitest"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import { deliverDueWebhooks } from "@lastro/domain/webhook"
import { AuditInspector, RecordingWebhookSender, storeChildPartner, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newPartner } from "../bodies.ts"
import { at, codeOf, problemsOf, type Reply, type Sent } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const url = "https://example.com/lastro"

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const root = yield* storeRootPartner()
  const { token } = yield* givenCaller(root)
  const call = (path: string, sent: Omit<Sent, "token"> = {}) =>
    server.send(`/api/v1/webhooks${path}`, { token, ...sent })
  const create = (fields: object = {}, headers: Sent["headers"] = {}) => call("", { json: { url, ...fields }, headers })
  const post = (path: string, json?: unknown) => call(path, { method: "POST", json })
  /** Changes a partner, so that an event happens. */
  const happen = Effect.gen(function*() {
    const reply = yield* server.send("/api/v1/partners", { token, json: yield* newPartner() })
    assert.strictEqual(reply.status, 201)
  })
  return { server, root, token, call, create, post, happen, sender: yield* RecordingWebhookSender }
})

const idOf = (reply: Reply) => String(at(reply, "webhook_id"))

describe("webhooks", () => {
  it.effect("a webhook is created with a secret, which no other response contains", () =>
    withServer(Effect.gen(function*() {
      const { call, create, root } = yield* arrange
      const created = yield* create({ types: ["proposal.*", "user.created"], description: "Ledger" }, {
        "idempotency-key": "k"
      })
      assert.strictEqual(created.status, 201)
      const { secret, ...record } = created.body as Record<string, unknown>
      assert.strictEqual(secret, "whsec_test1")
      assert.deepInclude(record, {
        partner_id: root.partner_id,
        url,
        types: ["proposal.*", "user.created"],
        description: "Ledger",
        status: "ACTIVE",
        stop_reason: null,
        version: 1,
        health: { last_success_at: null, last_failure_at: null, last_failure: null }
      })
      assert.strictEqual(created.headers.get("location"), `/api/v1/webhooks/${idOf(created)}`)
      assert.strictEqual(created.headers.get("cache-control"), "no-store")
      const read = yield* call(`/${idOf(created)}`)
      assert.deepStrictEqual(read.body, record)
      assert.strictEqual(read.headers.get("etag"), created.headers.get("etag"))
      assert.deepStrictEqual(at(yield* call("?status=ACTIVE"), "content"), [record])
      assert.deepStrictEqual(at(yield* call("?status=PAUSED"), "content"), [])
      const replayed = yield* create({ types: ["proposal.*", "user.created"], description: "Ledger" }, {
        "idempotency-key": "k"
      })
      assert.strictEqual(replayed.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual(replayed.body, record)
      const entries = yield* (yield* AuditInspector).entriesOf(idOf(created))
      assert.deepStrictEqual(entries.map(({ action }) => action), ["webhook.create"])
      assert.notInclude(JSON.stringify(entries), "whsec_")
      assert.isDefined(yield* IdempotencyStore)
    })))

  it.effect("a bad body lists its problems; a partner has at most 20 webhooks", () =>
    withServer(Effect.gen(function*() {
      const { call, create, post } = yield* arrange
      const bad = yield* create({ url: 5, types: ["proposal.lost", "*"], partner_id: "x", secret: "y" })
      assert.strictEqual(bad.status, 422)
      assert.deepStrictEqual(problemsOf(bad), [
        "partner_id INVALID_FORMAT",
        "secret UNKNOWN_FIELD",
        "types[0] UNKNOWN_VALUE",
        "types[1] UNKNOWN_VALUE",
        "url INVALID_TYPE"
      ])
      for (
        const [address, code] of [
          ["http://example.com", "HTTPS_REQUIRED"],
          ["nonsense", "INVALID_FORMAT"],
          ["https://10.0.0.1", "ADDRESS_FORBIDDEN"]
        ]
      ) {
        assert.deepStrictEqual(problemsOf(yield* create({ url: address })), [`url ${code}`])
      }
      for (let count = 0; count < 20; count++) assert.strictEqual((yield* create()).status, 201)
      const full = yield* create()
      assert.deepStrictEqual([full.status, codeOf(full)], [409, "TOO_MANY_WEBHOOKS"])
      const one = String(at(yield* call(""), "content", 0, "webhook_id"))
      assert.deepStrictEqual(problemsOf(yield* post(`/${one}/replay`, { from_sequence: 0 })), [
        "from_sequence OUT_OF_RANGE"
      ])
      assert.deepStrictEqual(problemsOf(yield* post(`/${one}/test`, { url })), ["url UNKNOWN_FIELD"])
      assert.deepStrictEqual(problemsOf(yield* call(`/${one}/deliveries?status=LOST`)), ["query.status UNKNOWN_VALUE"])
    })))

  it.effect("PATCH pauses and resumes, with If-Match; a delivery does not change the ETag", () =>
    withServer(Effect.gen(function*() {
      const { call, create, happen, sender } = yield* arrange
      const created = yield* create()
      const path = `/${idOf(created)}`
      const patch = (json: unknown, headers: Sent["headers"] = {}) => call(path, { method: "PATCH", json, headers })
      yield* happen
      yield* deliverDueWebhooks
      assert.strictEqual(sender.sent().length, 1)
      const read = yield* call(path)
      assert.isString(at(read, "health", "last_success_at"))
      const etag = String(read.headers.get("etag"))
      assert.strictEqual(etag, created.headers.get("etag"))
      const paused = yield* patch({ status: "PAUSED" }, { "if-match": etag })
      assert.deepStrictEqual([paused.status, at(paused, "stop_reason"), at(paused, "version")], [200, "CALLER", 2])
      assert.strictEqual((yield* patch({ status: "ACTIVE" }, { "if-match": etag })).status, 412)
      yield* happen
      yield* deliverDueWebhooks
      assert.strictEqual(sender.sent().length, 1)
      assert.strictEqual((yield* patch({ status: "ACTIVE" })).status, 200)
      yield* deliverDueWebhooks
      assert.strictEqual(sender.sent().length, 2)
      assert.deepStrictEqual(problemsOf(yield* patch({ status: "DISABLED" })), ["status UNKNOWN_VALUE"])
      assert.strictEqual((yield* call(path, { method: "DELETE", headers: { "if-match": etag } })).status, 412)
      assert.strictEqual((yield* call(path, { method: "DELETE" })).status, 204)
      assert.strictEqual((yield* call(path)).status, 404)
    })))

  it.effect("rotation, test, redelivery and replay answer, and their deliveries are listed", () =>
    withServer(Effect.gen(function*() {
      const { call, create, happen, post, sender } = yield* arrange
      const path = `/${idOf(yield* create())}`
      const rotated = yield* post(`${path}/rotate-secret`)
      assert.deepStrictEqual([rotated.status, at(rotated, "secret"), at(rotated, "version")], [200, "whsec_test2", 2])
      yield* happen
      yield* deliverDueWebhooks
      assert.deepStrictEqual(sender.sent()[0]?.secrets, ["sealed:whsec_test2", "sealed:whsec_test1"])
      const tested = yield* post(`${path}/test`)
      assert.deepStrictEqual([tested.status, at(tested, "type"), at(tested, "status")], [
        202,
        "webhook.test",
        "PENDING"
      ])
      yield* deliverDueWebhooks
      const listed = yield* call(`${path}/deliveries?status=DELIVERED&sort=created_at,asc`)
      assert.strictEqual(at(listed, "page", "total_elements"), 2)
      const content = at(listed, "content") as ReadonlyArray<Record<string, unknown>>
      const event = content.find(({ type }) => type === "partner.created")
      assert.deepInclude(event, { status: "DELIVERED", attempts: 1, last_status: 200, last_fault: null })
      const event_id = String(event?.["event_id"])
      const again = yield* post(`${path}/deliveries/${event_id}/redeliver`)
      assert.deepStrictEqual([again.status, at(again, "status"), at(again, "attempts")], [202, "PENDING", 0])
      yield* deliverDueWebhooks
      assert.strictEqual(sender.sent().at(-1)?.event_id, event_id)
      const replayed = yield* post(`${path}/replay`, { from_sequence: event?.["sequence"] })
      assert.deepStrictEqual([replayed.status, at(replayed, "webhook_id")], [202, path.slice(1)])
      yield* deliverDueWebhooks
      assert.strictEqual(sender.sent().filter((one) => one.event_id === event_id).length, 3)
      assert.deepStrictEqual(JSON.parse(sender.sent()[0]?.body ?? ""), JSON.parse(sender.sent().at(-1)?.body ?? ""))
      for (const id of ["0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40", "evt_1"]) {
        const unknown = yield* post(`${path}/deliveries/${id}/redeliver`)
        assert.deepStrictEqual([unknown.status, codeOf(unknown)], [404, "NOT_FOUND"])
      }
      const entries = yield* (yield* AuditInspector).entriesOf(path.slice(1))
      assert.deepStrictEqual(entries.map(({ action }) => action), [
        "webhook.create",
        "webhook.rotate_secret",
        "webhook.test",
        "webhook.redeliver",
        "webhook.replay"
      ])
    })))

  it.effect("a body in the feed and in a delivery is the same event", () =>
    withServer(Effect.gen(function*() {
      const { create, happen, sender, server, token, root } = yield* arrange
      const child = yield* storeChildPartner(root)
      assert.strictEqual((yield* create({ partner_id: child.partner_id })).status, 201)
      yield* create()
      yield* happen
      yield* deliverDueWebhooks
      const feed = yield* server.send("/api/v1/events?types=partner.created", { token })
      assert.deepStrictEqual(sender.sent().map(({ body }) => JSON.parse(body) as unknown), at(feed, "data"))
    })))
})
