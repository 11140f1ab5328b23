import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { newPartner, newUser } from "../bodies.ts"
import { at, codeOf, problemsOf, type Sent } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"
import { sendRaw, sendSlowly } from "../raw.ts"

const json = { "content-type": "application/json" }

/** Makes a function that sends bodies to `createPartner` as an administrator. */
const arrange = Effect.gen(function*() {
  const server = yield* Server
  const { token } = yield* givenCaller(yield* storeRootPartner())
  const create = (sent: Sent) => server.send("/api/v1/partners", { method: "POST", token, ...sent })
  return { server, token, create }
})

const streamOf = (size: number): ReadableStream => {
  let left = size
  const chunk = new Uint8Array(64 * 1024).fill(0x20)
  return new ReadableStream({
    pull: (controller) => {
      if (left <= 0) return controller.close()
      left -= chunk.length
      controller.enqueue(chunk)
    }
  })
}

const limit = 256 * 1024

/** A JSON text of exactly this many bytes. */
const sized = (bytes: number): string => `{"x":"${"a".repeat(bytes - 8)}"}`

describe("bodies", () => {
  it.effect("T30 reads a body of 256 KiB and refuses one more byte with 413", () =>
    withServer(Effect.gen(function*() {
      const { create } = yield* arrange
      assert.strictEqual(codeOf(yield* create({ headers: json, body: sized(limit) })), "VALIDATION_FAILED")
      const larger = yield* create({ headers: json, body: sized(limit + 1) })
      assert.strictEqual(larger.status, 413)
      assert.strictEqual(codeOf(larger), "PAYLOAD_TOO_LARGE")
    })))

  it.effect("T30 answers a body of 10 MB, declared or not, with a readable 413", () =>
    withServer(Effect.gen(function*() {
      const { create, server } = yield* arrange
      const declared = yield* create({ headers: json, body: "a".repeat(10_000_000) })
      assert.strictEqual(codeOf(declared), "PAYLOAD_TOO_LARGE")
      const chunked = yield* create({ headers: json, body: streamOf(10_000_000) })
      assert.strictEqual(codeOf(chunked), "PAYLOAD_TOO_LARGE")
      const form = yield* server.send("/api/v1/oauth/token", { body: "a".repeat(10_000_000) })
      assert.strictEqual(form.status, 413)
      assert.strictEqual(at(form, "error"), "invalid_request")
    })))

  it.effect("T30 a slow client that reads after sending receives the 413", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const megabyte = new Uint8Array(1_000_000).fill(0x20)
      const head = [
        "POST /api/v1/partners HTTP/1.1",
        "host: 127.0.0.1",
        "connection: close",
        `authorization: Bearer ${token}`,
        "content-type: application/json",
        "content-length: 4000000",
        "\r\n"
      ].join("\r\n")
      const reply = yield* sendSlowly(server.port, head, [megabyte, megabyte, megabyte, megabyte], 300)
      assert.strictEqual(reply.status, 413)
      assert.include(reply.text, "PAYLOAD_TOO_LARGE")
    })))

  it.effect("T30 a client that sends 20 MB before it reads receives the 413", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const size = 20_000_000
      const head = (length: string) =>
        [
          "POST /api/v1/partners HTTP/1.1",
          "host: 127.0.0.1",
          `authorization: Bearer ${token}`,
          "content-type: application/json",
          "connection: close",
          length,
          "\r\n"
        ].join("\r\n")
      const bytes = new Uint8Array(size).fill(0x20)
      const declared = yield* sendSlowly(server.port, head(`content-length: ${size}`), [bytes], 1)
      assert.deepStrictEqual([declared.status, JSON.parse(declared.text).error.code], [413, "PAYLOAD_TOO_LARGE"])
      const chunk = [`${size.toString(16)}\r\n`, "\r\n0\r\n\r\n"].map((text) => new TextEncoder().encode(text))
      const chunked = yield* sendSlowly(
        server.port,
        head("transfer-encoding: chunked"),
        [chunk[0]!, bytes, chunk[1]!],
        1
      )
      assert.deepStrictEqual([chunked.status, JSON.parse(chunked.text).error.code], [413, "PAYLOAD_TOO_LARGE"])
    })))

  it.effect("T30 refuses a body too large to drain while it is sent, without a connection reset", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const reply = yield* sendRaw(server.port, {
        method: "POST",
        path: "/api/v1/partners",
        headers: { ...json, "content-length": "100000000", authorization: `Bearer ${token}` },
        body: "a".repeat(8_000_000)
      })
      assert.strictEqual(reply.status, 413)
      assert.strictEqual(reply.headers["connection"], "close")
      assert.strictEqual(JSON.parse(reply.text).error.code, "PAYLOAD_TOO_LARGE")
    })))

  it.effect("T30 refuses a client with Expect: 100-continue before it sends the body", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const reply = yield* sendRaw(server.port, {
        method: "POST",
        path: "/api/v1/partners",
        headers: { ...json, expect: "100-continue", "content-length": "1000000", authorization: `Bearer ${token}` }
      })
      assert.deepStrictEqual([reply.status, reply.headers["connection"]], [413, "close"])
    })))

  it.effect("T30 refuses a declared terabyte at once", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const headers = { ...json, "content-length": "1099511627776", authorization: `Bearer ${token}` }
      const reply = yield* sendRaw(server.port, { method: "POST", path: "/api/v1/partners", headers, body: "{" })
      assert.strictEqual(reply.status, 413)
    })))

  it.effect("T30 refuses compressed bodies with 415 and never inflates them", () =>
    withServer(Effect.gen(function*() {
      const { create } = yield* arrange
      const bomb = new Uint8Array(gzipSync(Buffer.alloc(10_000_000, " ")))
      for (const encoding of ["gzip", "deflate", "br", "zstd", "gzip, gzip", "IDENTITY, gzip"]) {
        const reply = yield* create({ headers: { ...json, "content-encoding": encoding }, body: bomb })
        assert.strictEqual(codeOf(reply), "UNSUPPORTED_MEDIA_TYPE", encoding)
      }
      const plain = yield* create({ headers: { ...json, "content-encoding": "identity" }, body: "{}" })
      assert.strictEqual(codeOf(plain), "VALIDATION_FAILED")
    })))

  it.effect("answers 415 for a wrong declared type and 400 for a malformed body", () =>
    withServer(Effect.gen(function*() {
      const { create } = yield* arrange
      const types = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonx",
        "*/*",
        "application/json; charset=utf-16"
      ]
      for (const type of types) {
        assert.strictEqual((yield* create({ headers: { "content-type": type }, body: "{}" })).status, 415, type)
      }
      assert.strictEqual((yield* create({ body: new Uint8Array([0x7b, 0x7d]) })).status, 415, "no type")
      const malformed = ["", "{", "{'a':1}", "NaN", "{\"a\":1,}", "[1", "\"a", "{} {}", "\u0000"]
      for (const body of malformed) {
        const reply = yield* create({ headers: json, body })
        assert.strictEqual(reply.status, 400, JSON.stringify(body))
        assert.strictEqual(codeOf(reply), "MALFORMED_JSON")
      }
      const latin1 = yield* create({ headers: json, body: new Uint8Array([0x22, 0xe9, 0x22]) })
      assert.strictEqual(latin1.status, 400)
      for (const body of ["null", "[]", "1", "\"a\"", "true"]) {
        assert.strictEqual((yield* create({ headers: json, body })).status, 422, body)
      }
      const charset = { "content-type": "Application/JSON; charset=\"UTF-8\"" }
      assert.strictEqual((yield* create({ headers: charset, body: JSON.stringify(yield* newPartner()) })).status, 201)
    })))

  it.effect("a patch is accepted as application/merge-patch+json, and other bodies are not", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const send = (method: string, path: string, type: string) =>
        server.send(path, {
          method,
          token,
          headers: { "content-type": type },
          body: "{\"partner\":{\"name\":\"New\"}}"
        })
      for (const type of ["application/merge-patch+json", "Application/Merge-Patch+JSON; charset=UTF-8"]) {
        const patched = yield* send("PATCH", `/api/v1/partners/${root.partner_id}`, type)
        assert.strictEqual(patched.status, 200, type)
        assert.strictEqual(at(patched, "data", "name"), "New")
        assert.strictEqual((yield* send("POST", "/api/v1/partners", type)).status, 415, type)
      }
      for (const type of ["application/json-patch+json", "application/merge-patch+json; charset=latin1"]) {
        assert.strictEqual((yield* send("PATCH", `/api/v1/partners/${root.partner_id}`, type)).status, 415, type)
      }
    })))

  it.effect("T29 refuses a body that is nested too deeply, and continues to serve", () =>
    withServer(Effect.gen(function*() {
      const { create, server } = yield* arrange
      for (const depth of [65, 1000, 100_000]) {
        const bomb = `{"partner":${"{\"partner\":".repeat(depth)}1${"}".repeat(depth)}}`
        assert.strictEqual((yield* create({ headers: json, body: bomb.slice(0, limit) })).status, 413)
      }
      const shallow = `{"partner":${"{\"a\":".repeat(60)}1${"}".repeat(60)}}`
      assert.strictEqual((yield* create({ headers: json, body: shallow })).status, 422)
      assert.strictEqual((yield* server.send("/health/live")).status, 200)
    })))

  it.effect("T27 no body pollutes a prototype", () =>
    withServer(Effect.gen(function*() {
      const { create, server, token } = yield* arrange
      const body = yield* newPartner()
      const texts = ["__proto__", "constructor", "prototype", "toString"].flatMap((key) => [
        `{"${key}":{"polluted":true},${JSON.stringify(body).slice(1)}`,
        JSON.stringify(body).replace("{\"type\"", `{"${key}":{"polluted":true},"type"`),
        JSON.stringify({ ...body, address: 0 }).replace("\"address\":0", `"address":{"${key}":{"polluted":true}}`)
      ])
      for (const text of texts) {
        const created = yield* create({ headers: json, body: text })
        assert.strictEqual(created.status, 422, text)
        assert.include(problemsOf(created).join(), "UNKNOWN_FIELD", text)
        const user = yield* server.send("/api/v1/users/me", { token })
        const patched = yield* server.send(`/api/v1/users/${String(at(user, "data", "user_id"))}`, {
          method: "PATCH",
          token,
          headers: json,
          body: text
        })
        assert.strictEqual(patched.status, 422, text)
      }
      assert.isUndefined(Reflect.get({}, "polluted"))
    })))

  it.effect("T28 uses the last value of a duplicate key", () =>
    withServer(Effect.gen(function*() {
      const { create } = yield* arrange
      const text = JSON.stringify(yield* newPartner()).replace("\"name\":", "\"name\":\"First\",\"name\":")
      const reply = yield* create({ headers: json, body: text })
      assert.strictEqual(reply.status, 201)
      assert.strictEqual(at(reply, "data", "name"), "Ana Souza")
    })))

  const unstorable = { "T21 a NUL": "A\\u0000na Souza", "T22 a lone surrogate": "A\\ud800na Souza" }
  for (const [name, text] of Object.entries(unstorable)) {
    it.effect(`refuses ${name} in every text of a body, by its field`, () =>
      withServer(Effect.gen(function*() {
        const { create, server, token } = yield* arrange
        const address = {
          zipcode: "01310100",
          uf: "SP",
          city: "São Paulo",
          neighborhood: "Bela Vista",
          street: "Rua A",
          number: "1",
          complement: "x",
          district: "y"
        }
        const pix = { type: "EMAIL", key: "a@example.com" }
        const bank_account = {
          type: "CC",
          agency: "1234",
          bank_code: "341",
          agency_digit: "1",
          account_number: "123",
          account_digit: "1"
        }
        const { partner } = yield* newPartner()
        const whole = { partner, pix, address, bank_account }
        const groups: ReadonlyArray<readonly [string, object]> = Object.entries(whole)
        for (const [group, fields] of groups) {
          for (const field of Object.keys(fields)) {
            const marked = JSON.stringify({ ...whole, [group]: { ...fields, [field]: "MARK" } }).replace(
              "\"MARK\"",
              `"${text}"`
            )
            const reply = yield* create({ headers: json, body: marked })
            assert.strictEqual(reply.status, 422, `${group}.${field}`)
            assert.isTrue(problemsOf(reply).some((problem) => problem.startsWith(`${group}.`)), `${group}.${field}`)
          }
        }
        const user = yield* newUser({ password: "correct horse battery" })
        for (const field of Object.keys(user)) {
          const marked = JSON.stringify({ ...user, [field]: "MARK" }).replace("\"MARK\"", `"${text}"`)
          const reply = yield* server.send("/api/v1/users", { token, headers: json, body: marked })
          assert.deepStrictEqual([reply.status, at(reply, "error", "details", 0, "field")], [422, field])
        }
      })))
  }
})
