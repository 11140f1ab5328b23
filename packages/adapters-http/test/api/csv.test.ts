import { assert, describe, it } from "@effect/vitest"
import { Exports, makeExportSlots } from "@lastro/domain/export"
import { storeContractedApplication, storeRootPartner, storeUser } from "@lastro/testkit"
import { Duration, Effect } from "effect"
import { codeOf, problemsOf } from "../client.ts"
import { givenCaller } from "../given.ts"
import { Server, withServer } from "../harness.ts"

const csv = { accept: "text/csv" }

describe("a list as CSV", () => {
  it.effect("is the whole list with a header, selected by Accept or by format, with its own headers", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      for (let index = 0; index < 120; index++) {
        yield* storeUser(root, { email: `u${index}@example.com`, name: "=Ana, B" })
      }
      const reply = yield* server.send("/api/v1/users?sort=email&size=1&full_name=ana", { token, headers: csv })
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.headers.get("content-type"), "text/csv; charset=utf-8; header=present")
      assert.strictEqual(reply.headers.get("content-disposition"), "attachment; filename=\"users.csv\"")
      assert.strictEqual(reply.headers.get("vary"), "Authorization, Accept, Accept-Language")
      const [header, first, ...rest] = reply.text.split("\r\n")
      assert.match(header ?? "", /^user_id,name,email,.*group_group_id,group_slug,group_label,.*,metadata$/)
      assert.include(first, ",\"'=Ana, B\",u0@example.com,")
      assert.lengthOf(rest, 120)
      const same = yield* server.send("/api/v1/users?sort=email&full_name=ana&format=csv", { token })
      assert.strictEqual(same.text, reply.text)
      const json = yield* server.send("/api/v1/users?format=json", { token, headers: csv })
      assert.match(json.headers.get("content-type") ?? "", /^application\/json/)
      for (
        const accept of [
          "*/*",
          "application/json, text/csv",
          "text/csv;q=0.5, application/json",
          "text/csv;q=0",
          "text/*, application/json",
          "text/csv;q=0, text/*"
        ]
      ) {
        const other = yield* server.send("/api/v1/users", { token, headers: { accept } })
        assert.match(other.headers.get("content-type") ?? "", /^application\/json/, accept)
      }
      for (const accept of ["text/*", "text/csv, */*", "*/*, text/*", "text/*;q=0.9, application/json;q=0.5"]) {
        const other = yield* server.send("/api/v1/users", { token, headers: { accept } })
        assert.match(other.headers.get("content-type") ?? "", /^text\/csv/, accept)
      }
      const head = yield* server.send("/api/v1/users", { token, headers: csv, method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
      assert.match(head.headers.get("content-type") ?? "", /^text\/csv/)
    })))

  it.effect("in Portuguese has a byte order mark, semicolons and decimal commas", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      yield* storeContractedApplication(root)
      const headers = { ...csv, "accept-language": "pt-BR" }
      const reply = yield* server.send("/api/v1/proposals", { token, headers })
      assert.strictEqual(reply.headers.get("content-language"), "pt-BR")
      // The decoder of `fetch` removes the byte order mark.
      const [header, line] = reply.text.replace("\ufeff", "").split("\r\n")
      assert.match(header ?? "", /^proposal_id;/)
      assert.match(line ?? "", /;\d+,\d+;/)
    })))

  it.effect("requires the permission of the list, and reports the problems of the query as JSON", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const root = yield* storeRootPartner()
      const { token } = yield* givenCaller(root)
      const viewer = yield* givenCaller(root, "viewer")
      for (const path of ["partners", "users", "clients", "fgts/applications", "proposals", "audit"]) {
        const reply = yield* server.send(`/api/v1/${path}`, { token, headers: csv })
        assert.deepStrictEqual([path, reply.status, reply.text.split("\r\n").length > 1], [path, 200, true])
        assert.strictEqual((yield* server.send(`/api/v1/${path}`, { headers: csv })).status, 401)
        const wrong = yield* server.send(`/api/v1/${path}?format=xml`, { token })
        assert.deepStrictEqual(problemsOf(wrong), ["query.format UNKNOWN_VALUE"])
        const misspelt = yield* server.send(`/api/v1/${path}?shoe=1&sort=x`, { token, headers: csv })
        assert.deepStrictEqual(problemsOf(misspelt), ["query.shoe UNKNOWN_FIELD", "query.sort UNKNOWN_VALUE"])
      }
      const refused = yield* server.send("/api/v1/audit", { token: viewer.token, headers: csv })
      assert.strictEqual(codeOf(refused), "PERMISSION_DENIED")
      const webhooks = yield* server.send("/api/v1/webhooks?format=csv", { token })
      assert.deepStrictEqual(problemsOf(webhooks), ["query.format UNKNOWN_FIELD"])
    })))

  it.effect("PAGE-34 is refused with 429 and Retry-After while too many exports run", () =>
    withServer(Effect.gen(function*() {
      const server = yield* Server
      const { token } = yield* givenCaller(yield* storeRootPartner())
      const reply = yield* server.send("/api/v1/users", { token, headers: csv })
      assert.deepStrictEqual([reply.status, codeOf(reply), reply.headers.get("retry-after")], [
        429,
        "RATE_LIMITED",
        "5"
      ])
      assert.strictEqual((yield* server.send("/api/v1/users", { token })).status, 200)
    })).pipe(
      Effect.provideService(
        Exports,
        makeExportSlots({
          concurrent: 1,
          concurrentPerRoot: 0,
          maxRun: Duration.minutes(1),
          maxIdle: Duration.minutes(1)
        })
      )
    ))
})
