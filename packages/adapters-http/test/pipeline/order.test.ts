import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newPartner } from "../bodies.ts"
import { at, codeOf, type Reply, type Sent } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const unknown = "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
const big = { headers: { "content-type": "text/plain" }, body: "a".repeat(300 * 1024) }

/** Adds faults that later checks would report. */
const steps: ReadonlyArray<{
  readonly expected: string
  readonly change: Partial<Sent> & { readonly path?: string }
}> = [
  { expected: "IDEMPOTENCY_KEY_REUSED", change: {} },
  {
    expected: "MALFORMED_JSON",
    change: { body: "{", headers: { "content-type": "application/json", "idempotency-key": "k" } }
  },
  { expected: "UNSUPPORTED_MEDIA_TYPE", change: { headers: { "content-type": "text/plain" } } },
  { expected: "PAYLOAD_TOO_LARGE", change: big },
  { expected: "PERMISSION_DENIED", change: { token: "viewer" } },
  { expected: "PASSWORD_CHANGE_REQUIRED", change: { token: "due" } },
  { expected: "UNAUTHENTICATED", change: { token: "nobody" } },
  { expected: "METHOD_NOT_ALLOWED", change: { method: "PUT" } },
  { expected: "NOT_FOUND", change: { path: "/api/v1/partners/" } }
]

describe("order of checks", () => {
  it.effect("refuses a request with several faults for the first check that fails", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const admin = yield* givenCaller(root)
      const tokens: Readonly<Record<string, string>> = {
        admin: admin.token,
        viewer: (yield* givenCaller(root, "viewer")).token,
        due: (yield* givenCaller(root, "viewer", { must_change_password: true })).token,
        nobody: "nobody"
      }
      const headers = { "idempotency-key": "k" }
      const first = yield* server.send("/api/v1/partners", { token: admin.token, headers, json: yield* newPartner() })
      assert.strictEqual(first.status, 201)
      const base = {
        path: "/api/v1/partners",
        token: "admin",
        headers: { ...headers, "content-type": "application/json" },
        body: "{\"another\":\"body\"}"
      }
      for (const [index, { expected }] of steps.entries()) {
        const changes = steps.slice(0, index + 1).map(({ change }) => change)
        const { path, token, ...sent }: typeof base & Sent = Object.assign({}, base, ...changes)
        const reply = yield* server.send(path, { method: "POST", ...sent, token: tokens[token]! })
        assert.strictEqual(codeOf(reply), expected)
      }
    })))

  it.effect("checks existence, then hierarchy, then precondition, then validation", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const stranger = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const patch = (id: string, ifMatch: string): Effect.Effect<Reply> =>
        server.send(`/api/v1/partners/${id}`, {
          method: "PATCH",
          token,
          headers: { "if-match": ifMatch },
          json: { partner: { name: "" }, nonsense: 1 }
        })
      assert.strictEqual(codeOf(yield* patch(unknown, "\"other\"")), "NOT_FOUND")
      assert.strictEqual(codeOf(yield* patch("nonsense", "\"other\"")), "NOT_FOUND")
      assert.strictEqual(codeOf(yield* patch(stranger.partner_id, "\"other\"")), "OUTSIDE_HIERARCHY")
      assert.strictEqual(codeOf(yield* patch(root.partner_id, "\"other\"")), "PRECONDITION_FAILED")
      assert.strictEqual(codeOf(yield* patch(root.partner_id, "*")), "VALIDATION_FAILED")
    })))

  it.effect("refuses a malformed id after permission and body, like an unknown id", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const viewer = yield* givenCaller(root, "viewer")
      for (const id of ["nonsense", unknown]) {
        const path = `/api/v1/partners/${id}`
        assert.strictEqual((yield* server.send(path)).status, 401)
        assert.strictEqual((yield* server.send(path, { token: viewer.token, method: "DELETE" })).status, 403)
        assert.strictEqual((yield* server.send(path, { token, method: "PATCH", body: "{" })).status, 415)
        const reply = yield* server.send(path, { token })
        assert.strictEqual(reply.status, 404)
        assert.deepStrictEqual(at(reply, "error", "details"), [])
      }
    })))

  it.effect("reports every problem of a body at once", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const json = { partner: { type: "pj", name: "A", email: "nope" }, address: { uf: "XX" }, more: 1 }
      const reply = yield* server.send("/api/v1/partners", { token, json })
      const details = at(reply, "error", "details") as ReadonlyArray<{ readonly field: string }>
      const fields = details.map(({ field }) => field)
      for (
        const field of [
          "partner.name",
          "partner.email",
          "partner.phone",
          "partner.document_number",
          "address.uf",
          "more"
        ]
      ) {
        assert.include(fields, field)
      }
    })))
})
