import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newUser } from "../bodies.ts"
import { at, type Sent } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { sendRaw } from "../raw.ts"

/** One request for each kind of response. */
const requests: ReadonlyArray<readonly [path: string, sent: Sent, status: number]> = [
  ["/health/live", {}, 200],
  ["/nothing", {}, 404],
  ["/health/live", { method: "POST" }, 405],
  ["/api/v1/users/me", {}, 401],
  ["/api/v1/oauth/token", { json: {} }, 400],
  ["/api/v1/oauth/token", { method: "PUT" }, 405]
]

describe("response headers", () => {
  it.effect("sets X-Request-Id: the caller's if valid, else a generated one", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const [path, sent, status] of requests) {
        const echoed = yield* server.send(path, { ...sent, headers: { "x-request-id": "abc.DEF_1-2" } })
        assert.strictEqual(echoed.status, status)
        assert.strictEqual(echoed.headers.get("x-request-id"), "abc.DEF_1-2")
        for (const insane of ["", " ", "a b", "a".repeat(129), "{\"a\":1}", "a,b", "<script>", "é", "529.982.247-25"]) {
          const own = yield* server.send(path, { ...sent, headers: { "x-request-id": insane } })
          assert.match(own.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        }
      }
      const refused = yield* server.send("/nothing", { headers: { "x-request-id": "a".repeat(128) } })
      assert.strictEqual(at(refused, "error", "request_id"), "a".repeat(128))
    })))

  it.effect("sets the security headers on every response", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const [path, sent] of requests) {
        const { headers } = yield* server.send(path, sent)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("x-frame-options"), "DENY")
        assert.isNull(headers.get("x-powered-by"))
        assert.isNull(headers.get("server"))
      }
    })))

  it.effect("marks personal responses private and secret ones no-store", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      for (
        const path of ["/api/v1/partners", "/api/v1/users", "/api/v1/users/me", "/api/v1/users/none", "/api/v1/groups"]
      ) {
        const { headers } = yield* server.send(path, { token })
        assert.strictEqual(headers.get("cache-control"), "private, no-cache", path)
        const isExported = path.endsWith("/partners") || path.endsWith("/users")
        const format = isExported ? "Accept, " : ""
        assert.strictEqual(headers.get("vary"), `Authorization, ${format}Accept-Language`, path)
      }
      const created = yield* server.send("/api/v1/users", { token, json: yield* newUser() })
      assert.isString(at(created, "data", "temporary_password"))
      assert.strictEqual(created.headers.get("cache-control"), "no-store")
      const refused = yield* server.send("/api/v1/oauth/token", { json: {} })
      assert.strictEqual(refused.headers.get("cache-control"), "no-store")
    })))

  it.effect("answers in pt-BR if Accept-Language prefers it, else in English", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const messages = (language: string) =>
        Effect.map(
          server.send("/api/v1/partners", { token, json: {}, headers: { "accept-language": language } }),
          (reply) => [
            reply.headers.get("content-language"),
            at(reply, "error", "message"),
            at(reply, "error", "details", 0, "message")
          ]
        )
      assert.deepStrictEqual(yield* messages("pt-BR,pt;q=0.9,en;q=0.8"), [
        "pt-BR",
        "A requisição é inválida. Consulte os detalhes.",
        "Este campo é obrigatório."
      ])
      assert.deepStrictEqual(yield* messages("de, en;q=0.2"), [
        "en",
        "The request is invalid. See the details.",
        "This field is required."
      ])
    })))

  it.effect("sets Vary: Accept-Language on every message, also without a token", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const [path, sent, status] of requests.slice(1, 3)) {
        // A browser gets a page for a 404.
        const expected = status === 404 ? "Accept, Accept-Language" : "Accept-Language"
        assert.strictEqual((yield* server.send(path, sent)).headers.get("vary"), expected, String(status))
      }
      const unauthenticated = yield* server.send("/api/v1/users/me")
      assert.strictEqual(unauthenticated.headers.get("vary"), "Authorization, Accept-Language")
      assert.isNull((yield* server.send("/health/live")).headers.get("vary"))
    })))

  it.effect("T32 request data cannot inject a header or a response", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const path of ["/nothing%0d%0aset-cookie:%20a=1", "/api/v1/partners?sort=%0d%0aset-cookie:%20a=1"]) {
        const reply = yield* sendRaw(server.port, {
          path,
          headers: { "x-request-id": "a%0d%0ab", "accept-language": "pt%0d%0a" }
        })
        assert.isUndefined(reply.headers["set-cookie"])
        assert.include([401, 404], reply.status)
      }
    })))
})
