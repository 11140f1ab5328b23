import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layerDocuments, type OpenDocument } from "@lastro/adapters-http"
import { layerIdGenerator } from "@lastro/adapters-http/security"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { createServer } from "node:http"
import { codeOf, send } from "../client.ts"
import { Server, withServer } from "../harness.ts"

let readings = 0

const metrics: OpenDocument = {
  path: "/metrics",
  type: "text/plain; version=0.0.4; charset=utf-8",
  text: Effect.sync(() => `readings ${++readings}\n`)
}

/** Asserts the behaviour of a document on any port. */
const assertDocument = Effect.fnUntraced(function*(ask: ReturnType<typeof send>) {
  const first = yield* ask("/metrics?x=1")
  assert.deepStrictEqual([first.status, first.headers.get("content-type")], [200, metrics.type])
  assert.match(first.text, /^readings \d+\n$/)
  assert.notStrictEqual((yield* ask("/metrics")).text, first.text, "made anew")
  assert.isString(first.headers.get("x-request-id"))
  assert.strictEqual(first.headers.get("x-content-type-options"), "nosniff")
  assert.strictEqual(first.headers.get("cache-control"), "no-store")
  const removed = yield* ask("/metrics", { method: "DELETE" })
  assert.deepStrictEqual([removed.status, removed.headers.get("allow")], [405, "GET, HEAD"])
  assert.strictEqual((yield* ask("/metrics", { method: "HEAD" })).status, 200)
  for (const path of ["/metrics/", "/METRICS", "/nothing"]) {
    const reply = yield* ask(path)
    assert.deepStrictEqual([reply.status, codeOf(reply)], [404, "NOT_FOUND"], path)
  }
})

const page: OpenDocument = {
  path: "/",
  type: "application/json",
  text: Effect.succeed("{}"),
  otherForms: [{
    type: "text/html; charset=utf-8",
    text: Effect.succeed("<p>"),
    headers: { "content-security-policy": "default-src 'self'" }
  }]
}

const alone = HttpRouter.serve(layerDocuments([metrics]), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provide(layerIdGenerator),
  Layer.provide(NodeCrypto.layer)
)

describe("documents", () => {
  it.effect("T54 a document beside the API has one path and only its methods", () =>
    withServer(
      Effect.gen(function*() {
        const server = yield* Server
        yield* assertDocument(server.send)
        assert.strictEqual((yield* server.send("/health/live")).status, 200)
      }),
      { documents: [metrics] }
    ))

  it.effect("HEAD has the length of the documentation, which can be switched off", () =>
    Effect.gen(function*() {
      const asked = ["/docs", "/docs/viewer.js", "/openapi.json", "/openapi.yaml", "/llms.txt"]
      const headers = { "accept-encoding": "identity" }
      yield* withServer(Effect.gen(function*() {
        const { send } = yield* Server
        for (const path of asked) {
          const [head, got] = [yield* send(path, { method: "HEAD", headers }), yield* send(path, { headers })]
          assert.strictEqual(head.headers.get("content-length"), String(Buffer.byteLength(got.text)), path)
          assert.strictEqual(head.headers.get("etag"), got.headers.get("etag"), path)
        }
      }))
      yield* withServer(
        Effect.gen(function*() {
          const { send } = yield* Server
          for (const path of asked) assert.strictEqual((yield* send(path)).status, 404, path)
        }),
        { documentation: false }
      )
    }))

  it.effect("an unknown path is a page for browsers, and the error envelope for programs", () =>
    withServer(Effect.gen(function*() {
      const { send } = yield* Server
      const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }
      const page = yield* send("/nothing", { headers: { ...browser, "accept-language": "pt-BR" } })
      assert.deepStrictEqual(
        [page.status, page.headers.get("content-type"), page.headers.get("vary")],
        [404, "text/html; charset=utf-8", "Accept, Accept-Language"]
      )
      assert.include(page.text, "<h1>Página não encontrada</h1>")
      assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'; style-src 'sha256-/)
      for (
        const [path, headers] of [["/nothing", {}], ["/api/nothing", browser], ["/oauth/nothing", browser]] as const
      ) {
        const reply = yield* send(path, { headers })
        assert.deepStrictEqual([reply.status, codeOf(reply)], [404, "NOT_FOUND"], path)
      }
    })))

  it.effect("a document has the form that the client prefers", () =>
    withServer(
      Effect.gen(function*() {
        const { send } = yield* Server
        const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        const typeFor = (accept: string | undefined) =>
          Effect.map(send("/", accept === undefined ? {} : { headers: { accept } }), ({ headers, status }) => {
            assert.deepStrictEqual([status, headers.get("vary")], [200, "Accept"])
            return headers.get("content-type")?.split(";")[0]
          })
        for (const accept of [browser, "text/*", "application/json;q=0.1, text/html", "application/json;q=0, */*"]) {
          assert.strictEqual(yield* typeFor(accept), "text/html", accept)
        }
        const programs = [
          "*/*",
          "application/json",
          "text/html;q=0.5, application/*",
          "image/png",
          ";;,q=2",
          "text/html;q=x"
        ]
        for (const accept of [undefined, ...programs]) {
          assert.strictEqual(yield* typeFor(accept), "application/json", accept)
        }
        const html = yield* send("/", { headers: { accept: "text/html" } })
        assert.deepStrictEqual(
          [html.text, html.headers.get("content-security-policy"), html.headers.get("cache-control")],
          ["<p>", "default-src 'self'", "no-store"]
        )
      }),
      { documents: [page] }
    ))

  it.effect("T54 a separate document port serves nothing else", () =>
    Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      const ask = send(`http://127.0.0.1:${"port" in address ? address.port : 0}`)
      yield* assertDocument(ask)
      assert.strictEqual(codeOf(yield* ask("/health/live")), "NOT_FOUND")
    }).pipe(Effect.provide(alone)))
})
