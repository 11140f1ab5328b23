import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "yaml"
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

  it.effect("serves the documentation in each language, coding and format, and answers 304 while it has not changed", () =>
    withServer(Effect.gen(function*() {
      const { send } = yield* Server
      const types = {
        "/docs": "text/html; charset=utf-8",
        "/docs/viewer.js": "text/javascript; charset=utf-8",
        "/openapi.json": "application/json",
        "/openapi.yaml": "application/yaml; charset=utf-8",
        "/llms.txt": "text/plain; charset=utf-8",
        "/favicon.svg": "image/svg+xml",
        "/favicon.ico": "image/x-icon"
      }
      const tags = new Set<string>()
      const documents = new Map<string, string>()
      for (const [path, type] of Object.entries(types)) {
        const texts = new Map<string, string>()
        for (const language of ["en", "pt-BR"]) {
          for (const coding of ["br", "gzip", "identity"]) {
            const headers = { "accept-language": language, "accept-encoding": coding }
            const reply = yield* send(path, { headers })
            const sent = ["content-type", "content-encoding", "cache-control"].map((name) => reply.headers.get(name))
            const expected = [type, coding === "identity" ? null : coding, "no-cache"]
            assert.deepStrictEqual([reply.status, ...sent], [200, ...expected], `${path} ${coding}`)
            assert.include(reply.headers.get("vary") ?? "", "Accept-Encoding")
            const known = texts.get(language) ?? reply.text
            assert.strictEqual(reply.text, known, `${path} ${coding}`)
            texts.set(language, known)
            documents.set(`${path} ${language}`, known)
            const tag = reply.headers.get("etag") ?? ""
            tags.add(`${path} ${tag}`)
            const again = yield* send(path, { headers: { ...headers, "if-none-match": tag } })
            assert.deepStrictEqual([again.status, again.text], [304, ""])
          }
        }
        assert.strictEqual((yield* send(path, { method: "POST" })).headers.get("allow"), "GET, HEAD")
      }
      // Three documents have two languages, and four have one. Each has three codings.
      assert.strictEqual(tags.size, 3 * 2 * 3 + 4 * 3)
      const json: unknown = JSON.parse(documents.get("/openapi.json pt-BR") ?? "")
      assert.deepStrictEqual(parse(documents.get("/openapi.yaml pt-BR") ?? ""), json)
      assert.strictEqual(Object(json)["openapi"], "3.1.0")
    })))

  it.effect("a link selects the language, and a URL with the version of the viewer is kept for a year", () =>
    withServer(Effect.gen(function*() {
      const { send } = yield* Server
      const headers = { "accept-language": "en" }
      const page = yield* send("/docs?lang=pt-BR", { headers })
      assert.strictEqual(page.headers.get("content-language"), "pt-BR")
      assert.include(page.headers.get("vary") ?? "", "Accept-Language")
      assert.strictEqual((yield* send("/docs?lang=xx", { headers })).headers.get("content-language"), "en")
      const [, source = ""] = /src="(docs\/viewer\.js[^"]*)"/.exec(page.text) ?? []
      const cacheOf = (path: string) => Effect.map(send(path), (reply) => reply.headers.get("cache-control"))
      assert.strictEqual(yield* cacheOf(`/${source}`), "public, max-age=31536000, immutable")
      assert.strictEqual(yield* cacheOf("/docs/viewer.js?v=other"), "no-cache")
    })))
})
