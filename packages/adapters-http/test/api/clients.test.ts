import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { at, codeOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const json = { name: "ERP", group_id: "viewer" }

describe("/api/v1/clients", () => {
  it.effect("the secret is beside `data`, is never cached, and is not in a replay, in `ETag` or in a list", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const create = server.send("/api/v1/clients", { token, json, headers: { "idempotency-key": "one" } })
      const made = yield* create
      const path = made.headers.get("location") ?? ""
      const data = at(made, "data") as { readonly client_id: string }
      const secret = String(at(made, "client_secret"))
      assert.deepStrictEqual([made.status, Object.keys(Object(made.body))], [201, ["data", "client_secret"]])
      assert.strictEqual(made.headers.get("cache-control"), "no-store")
      const again = yield* create
      assert.deepStrictEqual([again.status, again.body], [201, { data }])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      const read = yield* server.send(path, { token })
      assert.deepStrictEqual(read.body, { data })
      assert.strictEqual(read.headers.get("etag"), made.headers.get("etag"))
      const rotated = yield* server.send(`${path}/rotate-secret`, { method: "POST", token })
      assert.deepStrictEqual([rotated.status, at(rotated, "data")], [200, data])
      assert.notStrictEqual(at(rotated, "client_secret"), secret)
      const twice = yield* server.send(`${path}/rotate-secret`, { method: "POST", token })
      assert.deepStrictEqual([twice.status, codeOf(twice)], [409, "EARLIER_SECRET_VALID"])
      const listed = yield* server.send("/api/v1/clients", { token })
      assert.deepStrictEqual(at(listed, "content"), [data])
      for (const { text } of [again, read, listed]) assert.notInclude(text, secret)
    })))

  it.effect("AUTH-31 a client signs in, reads itself, and is refused at once after its revocation", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const made = yield* server.send("/api/v1/clients", { token, json })
      const client_id = String(at(made, "data", "client_id"))
      const form = {
        grant_type: "client_credentials",
        client_id,
        client_secret: String(at(made, "client_secret")),
        scope: "fgts:read"
      }
      const own = String(at(yield* server.send("/api/v1/oauth/token", { form }), "access_token"))
      const me = yield* server.send("/api/v1/users/me", { token: own })
      assert.deepStrictEqual(at(me, "data", "permissions"), ["fgts:read"])
      assert.deepStrictEqual([at(me, "data", "client_id"), at(me, "data", "name")], [client_id, "ERP"])
      assert.isString(me.headers.get("etag"))
      const revoked = yield* server.send(`/api/v1/clients/${client_id}`, { method: "DELETE", token })
      assert.strictEqual(revoked.status, 204)
      assert.strictEqual((yield* server.send("/api/v1/users/me", { token: own })).status, 401)
      assert.strictEqual(at(yield* server.send(`/api/v1/clients/${client_id}`, { token }), "data", "status"), "REVOKED")
    })))
})
