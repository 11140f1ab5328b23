import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { endpoints } from "../../src/pipeline/endpoints.ts"
import { codeOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { sendRaw } from "../raw.ts"

const paths = [...new Set(endpoints.map(({ path }) => path))]

const methodsOf = (path: string): ReadonlyArray<string> =>
  endpoints.filter((endpoint) => endpoint.path === path).flatMap(({ method }) =>
    method === "GET" ? ["GET", "HEAD"] : [method]
  )
    .toSorted()

const filled = (path: string): string => path.replaceAll(/:\w+/g, "0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40")

const unusual = ["OPTIONS", "PUT", "TRACE", "QUERY", "PROPFIND", "PURGE", "M-SEARCH"]

describe("routing", () => {
  it.effect("T54 answers an unsupported method with 405 and Allow, before any other check", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const path of paths) {
        const allow = methodsOf(path)
        for (
          const method of ["GET", "HEAD", "POST", "PATCH", "DELETE", ...unusual].filter((one) => !allow.includes(one))
        ) {
          const reply = yield* sendRaw(server.port, {
            method,
            path: filled(path),
            headers: { origin: "https://evil.test" }
          })
          assert.strictEqual(reply.status, 405, `${method} ${path}`)
          assert.strictEqual(reply.headers["allow"], allow.join(", "))
          assert.isUndefined(reply.headers["access-control-allow-origin"])
          assert.isString(reply.headers["x-request-id"])
          if (method !== "HEAD") assert.match(reply.text, /"(METHOD_NOT_ALLOWED|invalid_request)"/)
        }
      }
    })))

  it.effect("T54 accepts only the literal spelling of a path", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const known = `/api/v1/partners/${root.partner_id}`
      const good = yield* sendRaw(server.port, { path: known, headers: { authorization: `Bearer ${token}` } })
      assert.strictEqual(good.status, 200)
      const differently = [
        "/",
        "*",
        "/api/v1",
        "/nothing",
        "/api/v1/partners/",
        "//api/v1/partners",
        "/api//v1/partners",
        "/API/v1/partners",
        "/api/v1/Partners",
        "/api/v1/%70artners",
        "/api/v1/partners%2f",
        "/api/v1/partners;x=1",
        "/api/v1/partners#x",
        "/api/v1/partners/.",
        "/api/v1/./partners",
        "/api/v1/users/../partners",
        "/api/v1/users/%2e%2e/partners",
        "/api/v1/users/%252e%252e/partners",
        "/api/v1/partners\\",
        "/api/v1/partners/%",
        "/api/v1/partners/%ff",
        "/%",
        `${known}/`,
        `${known}/users`,
        `/api/v1/partners/%${known.charCodeAt(17).toString(16)}${known.slice(18)}`,
        `/api/v1/partners/${"x".repeat(4000)}`
      ]
      for (const path of differently) {
        const reply = yield* sendRaw(server.port, { path, headers: { authorization: `Bearer ${token}` } })
        assert.strictEqual(reply.status, 404, path)
        assert.strictEqual(JSON.parse(reply.text).error.code, "NOT_FOUND", path)
        assert.isString(reply.headers["x-request-id"])
      }
    })))

  it.effect("T24 accepts an id in any letter case, and no other form", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const id = root.partner_id
      const upper = yield* server.send(`/api/v1/partners/${id.toUpperCase()}`, { token })
      assert.strictEqual(upper.status, 200)
      const forms = [
        `{${id}}`,
        id.replaceAll("-", ""),
        `urn:uuid:${id}`,
        id.slice(1),
        `${id}0`,
        "null",
        "0",
        "-1",
        "me"
      ]
      for (const form of forms) {
        for (const method of ["GET", "DELETE"]) {
          const reply = yield* sendRaw(server.port, {
            method,
            path: `/api/v1/partners/${form}`,
            headers: { authorization: `Bearer ${token}` }
          })
          assert.strictEqual(reply.status, 404, form)
        }
        const patched = yield* server.send(`/api/v1/partners/${encodeURI(form)}`, { token, method: "PATCH", json: {} })
        assert.strictEqual(patched.status, 404, form)
      }
    })))

  it.effect("answers HEAD like GET, without a body", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const get = yield* server.send("/api/v1/users/me", { token })
      const head = yield* server.send("/api/v1/users/me", { token, method: "HEAD" })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.text, "")
      for (const name of ["etag", "content-type", "content-length", "cache-control"]) {
        assert.strictEqual(head.headers.get(name), get.headers.get(name), name)
      }
    })))

  it.effect("T32 refuses too large URLs and headers, and continues to serve", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const long = yield* sendRaw(server.port, { path: `/api/v1/partners?name=${"x".repeat(1_000_000)}` })
      assert.include([414, 431], long.status)
      const heavy = yield* sendRaw(server.port, { path: "/health/live", headers: { "x-bomb": "x".repeat(100_000) } })
      assert.strictEqual(heavy.status, 431)
      const query = yield* server.send(`/api/v1/partners?${"a=1&".repeat(1500)}`)
      assert.strictEqual(codeOf(query), "UNAUTHENTICATED")
      assert.strictEqual((yield* server.send("/health/live")).status, 200)
    })))
})
