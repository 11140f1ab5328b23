import { assert, describe, it } from "@effect/vitest"
import { storeForest } from "@lastro/testkit"
import { Effect } from "effect"
import { newPartner, newUser } from "../bodies.ts"
import { at, codeOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const arrange = Effect.gen(function*() {
  const server = yield* Server
  const [root, child] = yield* storeForest([null, 0])
  const { token, user } = yield* givenCaller(root)
  const other = yield* givenCaller(child, "viewer")
  return {
    server,
    token,
    user,
    paths: [`/api/v1/partners/${child.partner_id}`, `/api/v1/users/${other.user.user_id}`]
  }
})

const rename = (path: string, name: string) => path.includes("partners") ? { partner: { name } } : { name }

describe("conditional requests", () => {
  it.effect("a record has a strong tag that changes exactly with the record", () =>
    withServer(Effect.gen(function*() {
      const { paths, server, token } = yield* arrange
      for (const path of paths) {
        const read = yield* server.send(path, { token })
        const tag = read.headers.get("etag")
        assert.match(tag ?? "", /^"[A-Za-z0-9_-]{22}"$/)
        assert.strictEqual((yield* server.send(path, { token })).headers.get("etag"), tag)
        const same = yield* server.send(path, {
          token,
          method: "PATCH",
          json: rename(path, String(at(read, "data", "name")))
        })
        assert.strictEqual(same.headers.get("etag"), tag, "a patch that changes nothing")
        const changed = yield* server.send(path, { token, method: "PATCH", json: rename(path, "Another Name") })
        assert.strictEqual(changed.status, 200)
        assert.notStrictEqual(changed.headers.get("etag"), tag)
        const again = yield* server.send(path, { token })
        assert.strictEqual(again.headers.get("etag"), changed.headers.get("etag"), "whoever asks, however it was read")
      }
    })))

  it.effect("answers GET with If-None-Match with 304 while the record is unchanged", () =>
    withServer(Effect.gen(function*() {
      const { paths, server, token } = yield* arrange
      for (const path of [...paths, "/api/v1/users/me"]) {
        const read = yield* server.send(path, { token })
        const tag = read.headers.get("etag") ?? ""
        for (const header of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
          const reply = yield* server.send(path, { token, headers: { "if-none-match": header } })
          assert.deepStrictEqual([reply.status, reply.text], [304, ""])
          assert.strictEqual(reply.headers.get("etag"), tag)
          assert.strictEqual(reply.headers.get("cache-control"), "private, no-cache")
          assert.isNull(reply.headers.get("content-length"))
        }
        const other = yield* server.send(path, { token, headers: { "if-none-match": "\"other\"" } })
        assert.strictEqual(other.status, 200)
      }
      const missing = yield* server.send("/api/v1/users/nobody", { token, headers: { "if-none-match": "*" } })
      assert.strictEqual(missing.status, 404)
    })))

  it.effect("PATCH and DELETE with If-Match succeed only while the record is unchanged", () =>
    withServer(Effect.gen(function*() {
      const { paths, server, token } = yield* arrange
      for (const path of paths.toReversed()) {
        const tag = (yield* server.send(path, { token })).headers.get("etag") ?? ""
        const change = { token, method: "PATCH", json: rename(path, "Changed Once") }
        for (const stale of ["\"other\"", `W/${tag}`, tag.slice(1, -1)]) {
          const headers = { "if-match": stale }
          assert.strictEqual(codeOf(yield* server.send(path, { ...change, headers })), "PRECONDITION_FAILED", stale)
          assert.strictEqual((yield* server.send(path, { token, method: "DELETE", headers })).status, 412, stale)
        }
        assert.strictEqual((yield* server.send(path, { token })).headers.get("etag"), tag, "nothing happened")
        const changed = yield* server.send(path, { ...change, headers: { "if-match": `"other", ${tag}` } })
        assert.strictEqual(changed.status, 200)
        const late = yield* server.send(path, { token, method: "DELETE", headers: { "if-match": tag } })
        assert.strictEqual(late.status, 412, "the tag of before")
        const fresh = changed.headers.get("etag") ?? ""
        const deleted = yield* server.send(path, { token, method: "DELETE", headers: { "if-match": fresh } })
        assert.deepStrictEqual([deleted.status, deleted.text], [204, ""])
        assert.strictEqual(
          (yield* server.send(path, { token, method: "DELETE", headers: { "if-match": "*" } })).status,
          404
        )
      }
    })))

  it.effect("a created record is answered with its ETag and Location", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const bodies = { partners: yield* newPartner(), users: yield* newUser() }
      for (const [collection, json] of Object.entries(bodies)) {
        const created = yield* server.send(`/api/v1/${collection}`, { token, json })
        assert.strictEqual(created.status, 201)
        const location = created.headers.get("location") ?? ""
        assert.match(location, new RegExp(`^/api/v1/${collection}/[0-9a-f-]{36}$`))
        const read = yield* server.send(location, { token })
        assert.strictEqual(read.status, 200)
        assert.strictEqual(read.headers.get("etag"), created.headers.get("etag"))
      }
    })))

  it.effect("create and patch answer with the same bytes as a read", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const groups = {
        bank_account: { account_digit: "7", account_number: "123", type: "CC", bank_code: "341", agency: "1" },
        pix: { type: "EMAIL", key: "ana@example.com" },
        address: {
          number: "10",
          street: "Rua A",
          neighborhood: "Centro",
          city: "Santos",
          uf: "SP",
          zipcode: "11010000"
        }
      }
      const bodies = {
        partners: { ...groups, ...yield* newPartner() },
        users: yield* newUser({ password: "correct horse battery" })
      }
      for (const [collection, json] of Object.entries(bodies)) {
        const created = yield* server.send(`/api/v1/${collection}`, { token, json })
        assert.strictEqual(created.status, 201)
        const location = created.headers.get("location") ?? ""
        assert.strictEqual((yield* server.send(location, { token })).text, created.text)
        const patch = collection === "partners"
          ? { ...groups, partner: { name: "Other Name" } }
          : { name: "Other Name" }
        const patched = yield* server.send(location, { token, method: "PATCH", json: patch })
        assert.strictEqual(patched.status, 200)
        assert.strictEqual((yield* server.send(location, { token })).text, patched.text)
      }
    })))

  it.effect("lists have no tag", () =>
    withServer(Effect.gen(function*() {
      const { server, token } = yield* arrange
      const reply = yield* server.send("/api/v1/partners", { token, headers: { "if-none-match": "*" } })
      assert.strictEqual(reply.status, 200)
      assert.isNull(reply.headers.get("etag"))
    })))
})
