import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { at } from "../client.ts"
import { issuer, Server, withServer } from "../harness.ts"

describe("system operations", () => {
  it.effect("metadata names existing endpoints under the issuer", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const metadata = yield* server.send("/.well-known/oauth-authorization-server")
      assert.strictEqual(at(metadata, "issuer"), issuer.issuer)
      const paths = ["token_endpoint", "revocation_endpoint", "jwks_uri"].map((name) =>
        new URL(String(at(metadata, name)))
      )
      for (const { origin, pathname } of paths) {
        assert.strictEqual(origin, issuer.issuer)
        const reply = yield* server.send(pathname, { method: "OPTIONS" })
        assert.strictEqual(reply.status, 405, "the path exists")
      }
    })))

  it.effect("public documents need no token and are cached for less than the time before a new key signs", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      for (const path of ["/.well-known/jwks.json", "/.well-known/oauth-authorization-server"]) {
        const reply = yield* server.send(path)
        assert.strictEqual(reply.status, 200)
        assert.strictEqual(reply.headers.get("cache-control"), "public, max-age=60")
      }
      assert.strictEqual((yield* server.send("/health/live")).headers.get("cache-control"), "no-store")
    })))

  it.effect("serves openapi.json and /docs, and answers 304 while they have not changed", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const types = { "/openapi.json": "application/json", "/docs": "text/html; charset=utf-8" }
      for (const [path, type] of Object.entries(types)) {
        const reply = yield* server.send(path)
        assert.deepStrictEqual([reply.status, reply.headers.get("content-type")], [200, type])
        const tag = reply.headers.get("etag") ?? ""
        const again = yield* server.send(path, { headers: { "if-none-match": tag } })
        assert.deepStrictEqual([again.status, again.text], [304, ""])
        assert.strictEqual((yield* server.send(path, { method: "POST" })).headers.get("allow"), "GET, HEAD")
      }
      assert.strictEqual(at(yield* server.send("/openapi.json"), "openapi"), "3.1.0")
      const page = yield* server.send("/docs")
      assert.include(page.headers.get("content-security-policy") ?? "", "script-src 'sha256-")
      assert.notMatch(page.text, /<(script|link|img)[^>]+(src|href)="https?:/, "works offline")
    })))
})
