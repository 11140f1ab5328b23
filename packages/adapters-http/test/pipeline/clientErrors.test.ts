import { assert, describe, it } from "@effect/vitest"
import { answerClientErrors } from "@lastro/adapters-http"
import { Effect } from "effect"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"

/** A node server that answers every request with 204. A request may last as long as `timeoutMs`. */
const listening = (timeoutMs = 60_000) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = answerClientErrors(
        createServer(
          { headersTimeout: timeoutMs, requestTimeout: timeoutMs, connectionsCheckingInterval: 50 },
          (request, response) => {
            request.on("error", () => request.destroy())
            request.on("end", () => response.writeHead(204).end())
            request.resume()
          }
        )
      )
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** Sends a text and returns everything that the server sends until it closes the connection. */
const responseTo = (port: number, text: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1")
    socket.on("data", (chunk) => chunks.push(chunk))
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resume(Effect.succeed(Buffer.concat(chunks).toString())))
    socket.write(text)
  })

const host = "host: a\r\n"

const cases: Readonly<Record<string, readonly [status: string, code: string, sent: string]>> = {
  "no HTTP at all": ["400 Bad Request", "MALFORMED_REQUEST", "nonsense\r\n\r\n"],
  "a header without a name": ["400 Bad Request", "MALFORMED_REQUEST", `GET / HTTP/1.1\r\n${host}: x\r\n\r\n`],
  "two lengths": [
    "400 Bad Request",
    "MALFORMED_REQUEST",
    `POST / HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`
  ],
  "headers that are too large": [
    "431 Request Header Fields Too Large",
    "HEADERS_TOO_LARGE",
    `GET / HTTP/1.1\r\n${host}x: ${"x".repeat(2_000_000)}\r\n\r\n`
  ],
  "headers that never end": ["408 Request Timeout", "REQUEST_TIMEOUT", `GET / HTTP/1.1\r\n${host}`],
  "a body that never ends": [
    "408 Request Timeout",
    "REQUEST_TIMEOUT",
    `POST / HTTP/1.1\r\n${host}content-length: 9\r\n\r\n1`
  ],
  "an expectation nobody knows": [
    "417 Expectation Failed",
    "EXPECTATION_FAILED",
    `GET / HTTP/1.1\r\n${host}expect: wonders\r\n\r\n`
  ]
}

describe("errors that node answers itself", () => {
  for (const [name, [status, code, sent]] of Object.entries(cases)) {
    it.live(`T32 ${name}: error envelope with a request id, then the connection closes`, () =>
      Effect.scoped(Effect.gen(function*() {
        const { port } = (yield* listening(code === "REQUEST_TIMEOUT" ? 200 : undefined)).address() as AddressInfo
        const reply = yield* responseTo(port, sent)
        const [head = "", body = ""] = reply.split("\r\n\r\n")
        const headers = new Headers(
          head.split("\r\n").slice(1).map((line) => {
            const colon = line.indexOf(":")
            return [line.slice(0, colon), line.slice(colon + 1)] as const
          }).map(([key, value]): [string, string] => [key, value])
        )
        assert.strictEqual(head.split("\r\n")[0], `HTTP/1.1 ${status}`)
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.strictEqual(headers.get("connection"), "close")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        const { error } = JSON.parse(body) as { readonly error: Record<string, unknown> }
        assert.match(String(error["request_id"]), /^[0-9a-f-]{36}$/)
        assert.strictEqual(headers.get("x-request-id"), error["request_id"])
        assert.deepStrictEqual([error["code"], error["details"]], [code, []])
        assert.strictEqual(reply.split("HTTP/1.1 ").length, 2, "one answer")
      })))
  }

  it.live("serves valid requests unchanged", () =>
    Effect.scoped(Effect.gen(function*() {
      const { port } = (yield* listening()).address() as AddressInfo
      const asked = `GET / HTTP/1.1\r\n${host}connection: close\r\n\r\n`
      assert.match(yield* responseTo(port, asked), /^HTTP\/1\.1 204 /)
      const id = "x-request-id: abc\r\naccept-language: pt\r\n"
      const echoed = yield* responseTo(port, `GET / HTTP/1.1\r\n${host}${id}expect: wonders\r\n\r\n`)
      assert.match(echoed, /x-request-id: abc/i)
      assert.include(echoed, "Envie a requisição sem ele")
    })))
})
