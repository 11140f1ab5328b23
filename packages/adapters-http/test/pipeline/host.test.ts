import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Server, withServer } from "../harness.ts"
import { sendText } from "../raw.ts"

const requests: Readonly<Record<string, string>> = {
  "no Host": "GET /health/live HTTP/1.1\r\n",
  "a Host that is no host": "GET /health/live HTTP/1.1\r\nhost: a/b\r\n",
  "two Hosts": "GET /health/live HTTP/1.1\r\nhost: a\r\nHost: b\r\n",
  "the same Host twice": "GET /health/live HTTP/1.1\r\nHost: a\r\nhost: a\r\n",
  "an unknown path without Host": "GET /nowhere HTTP/1.1\r\n",
  "a wrong method with two Hosts": "PUT /health/live HTTP/1.1\r\nhost: a\r\nhost: b\r\ncontent-length: 0\r\n"
}

describe("the Host header", () => {
  for (const [name, head] of Object.entries(requests)) {
    it.effect(`T32 ${name} is answered with 400 and the error envelope`, () =>
      withServer(Effect.gen(function*() {
        const { port } = yield* Server
        const reply = yield* sendText(
          port,
          `${head}x-request-id: abc\r\naccept-language: pt\r\nconnection: close\r\n\r\n`
        )
        const { error } = JSON.parse(reply.text) as { readonly error: Record<string, unknown> }
        assert.deepStrictEqual(
          [reply.status, error["code"], error["request_id"], error["details"]],
          [400, "MALFORMED_REQUEST", "abc", []]
        )
        assert.strictEqual(error["message"], "A requisição não é um HTTP/1.1 válido.")
      })))
  }

  it.effect("T32 a token request without Host is answered in the form of OAuth 2", () =>
    withServer(Effect.gen(function*() {
      const { port } = yield* Server
      const form = "grant_type=password"
      const type = "content-type: application/x-www-form-urlencoded\r\n"
      const head = `POST /api/v1/oauth/token HTTP/1.1\r\n${type}content-length: ${form.length}\r\nconnection: close\r\n`
      const reply = yield* sendText(port, `${head}\r\n${form}`)
      const { error } = JSON.parse(reply.text) as Record<string, unknown>
      assert.deepStrictEqual([reply.status, error], [400, "invalid_request"])
    })))

  it.effect("T32 a request without any header is answered with 400", () =>
    withServer(Effect.gen(function*() {
      const { port } = yield* Server
      for (const target of ["/health/live", "/api/v1/groups", `http://127.0.0.1:${port}/health/live`]) {
        const reply = yield* sendText(port, `GET ${target} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nconnection: close\r\n\r\n`)
        assert.strictEqual(reply.status, 400, target)
      }
    })))

  for (const host of ["", "lastro.test", "127.0.0.1:3000", "[::1]:3000", "xn--fcil-5na.example"]) {
    it.effect(`T32 the Host ${host === "" ? "without a name" : host} is valid`, () =>
      withServer(Effect.gen(function*() {
        const { port } = yield* Server
        const reply = yield* sendText(port, `GET /health/live HTTP/1.1\r\nHost: ${host}\r\nconnection: close\r\n\r\n`)
        assert.strictEqual(reply.status, 200)
      })))
  }

  it.effect("HTTP/1.0 needs no Host", () =>
    withServer(Effect.gen(function*() {
      const { port } = yield* Server
      assert.strictEqual((yield* sendText(port, "GET /health/live HTTP/1.0\r\n\r\n")).status, 200)
    })))
})
