import { NodeCrypto, NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { layer, Readiness } from "@lastro/adapters-http"
import { layerIdGenerator, layerTokens } from "@lastro/adapters-http/security"
import { layerMemoryByHand, storeRootPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { newPartner } from "../bodies.ts"
import { codeOf, send } from "../client.ts"
import { givenCaller } from "../given.ts"

const issuer = "https://lastro.test"

const home = HttpRouter.add("GET", "/home", HttpServerResponse.text("the host"))

/** The API beside the route of a host, in the router of Effect's HTTP server. */
const hosted = HttpRouter.serve(Layer.merge(layer({ issuer, callerLimit: "off" }), home), {
  disableLogger: true,
  disableListenLog: true
}).pipe(
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provide(Layer.succeed(Readiness, Readiness.of({ isReady: Effect.succeed(true) }))),
  Layer.provideMerge(layerTokens({ issuer })),
  Layer.provideMerge(Layer.mergeAll(layerMemoryByHand, layerIdGenerator)),
  Layer.provide(NodeCrypto.layer)
)

const sending = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => send(`http://127.0.0.1:${"port" in address ? address.port : 0}`)
)

describe("the API in the router of an Effect application", () => {
  it.effect("serves the API beside the routes of the application", () =>
    Effect.gen(function*() {
      const ask = yield* sending
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const made = yield* ask("/api/v1/partners", { token, json: yield* newPartner() })
      assert.strictEqual(made.status, 201)
      const location = made.headers.get("location") ?? ""
      const read = yield* ask(location, { token })
      assert.deepStrictEqual([read.status, read.headers.get("etag")], [200, made.headers.get("etag")])
      const known = yield* ask(location, { token, headers: { "if-none-match": read.headers.get("etag") ?? "" } })
      assert.deepStrictEqual([known.status, known.text], [304, ""])
      const head = yield* ask(location, { token, method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.strictEqual(head.headers.get("content-length"), read.headers.get("content-length"))
      assert.strictEqual((yield* ask("/home")).text, "the host")
    }).pipe(Effect.provide(hosted)))

  it.effect("T54 answers other spellings with 404 and other methods with 405", () =>
    Effect.gen(function*() {
      const ask = yield* sending
      for (const path of ["/nothing", "/health/live/", "/HEALTH/live", "/api/v1/partners/a%62"]) {
        const reply = yield* ask(path)
        assert.deepStrictEqual([reply.status, codeOf(reply)], [404, "NOT_FOUND"], path)
      }
      const removed = yield* ask("/health/live", { method: "DELETE" })
      assert.deepStrictEqual([removed.status, removed.headers.get("allow")], [405, "GET, HEAD"])
    }).pipe(Effect.provide(hosted)))
})
