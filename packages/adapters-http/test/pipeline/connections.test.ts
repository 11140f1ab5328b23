import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { newPartner } from "../bodies.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { sendText } from "../raw.ts"

const post = (body: string, headers: string) =>
  `POST /api/v1/partners HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${headers}\r\n${body}`

const length = (body: string) => `content-length: ${Buffer.byteLength(body)}\r\n`

const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`

/** The last request of a connection. */
const last = "GET /health/live HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n"

describe("a connection with several requests", () => {
  it.effect("continues after a body that the server did not read", () =>
    withServer(Effect.gen(function*() {
      const { port } = yield* Server
      for (const size of [2, 60_000, 200_000]) {
        const body = "x".repeat(size)
        for (const refused of [post(body, length(body)), post(chunked(body), "transfer-encoding: chunked\r\n")]) {
          const { status, text } = yield* sendText(port, refused + last)
          assert.strictEqual(status, 401)
          assert.match(text, /UNAUTHENTICATED.*HTTP\/1\.1 200 OK.*\{"status":"ok"\}$/s, `${size} bytes`)
        }
      }
    })))

  it.effect("continues after a body that the server read", () =>
    withServer(Effect.gen(function*() {
      const { port } = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      for (const form of ["length", "chunks"]) {
        const body = JSON.stringify(yield* newPartner())
        const authorization = `authorization: Bearer ${token}\r\n`
        const request = form === "length"
          ? post(body, authorization + length(body))
          : post(chunked(body), `${authorization}transfer-encoding: chunked\r\n`)
        const { status, text } = yield* sendText(port, request + last)
        assert.strictEqual(status, 201)
        assert.match(text, /HTTP\/1\.1 200 OK.*\{"status":"ok"\}$/s)
      }
    })))

  it.effect("a client that closes the connection after a body gets the response", () =>
    withServer(Effect.gen(function*() {
      const { port } = yield* Server
      const body = "x".repeat(200_000)
      const { status, text } = yield* sendText(port, post(body, `connection: close\r\n${length(body)}`))
      assert.strictEqual(status, 401)
      assert.include(text, "UNAUTHENTICATED")
    })))
})
