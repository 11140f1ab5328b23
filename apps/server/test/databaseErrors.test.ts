import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, at, type Reply, signIn, tokenOf } from "./running/asking.ts"
import { administer } from "./running/databases.ts"
import { layerServer, Server } from "./running/inProcess.ts"

const create = (server: Server["Service"], token: string, document_number: string) =>
  ask(server, "/api/v1/partners", {
    token,
    json: { partner: { type: "pj", name: "Shop", email: "shop@example.com", phone: "11987654321", document_number } }
  })

const isUnavailable = (reply: Reply): void => {
  assert.deepStrictEqual([reply.status, at(reply, "error", "code")], [503, "SERVICE_UNAVAILABLE"], reply.text)
  assert.match(reply.headers.get("retry-after") ?? "", /^[1-9][0-9]*$/)
}

it.layer(layerServer(), { excludeTestServices: true, timeout: "1 minute" })("a failing database", (it) => {
  describe.each(["53100", "53200", "57P01", "25006", "40001"])("SQLSTATE %s", (state) => {
    it.effect("of a write is 503 with Retry-After, and the next write succeeds", () =>
      Effect.gen(function*() {
        const server = yield* Server
        const token = tokenOf(yield* signIn(server))
        const run = (...statements: ReadonlyArray<string>) => administer(server.database, ...statements)
        yield* run(
          `create or replace function fail() returns trigger language plpgsql
          as 'begin raise exception using errcode = ''${state}''; end'`,
          "create trigger failing before insert on partner for each row execute function fail()"
        )
        isUnavailable(yield* create(server, token, "12ABC34501DE35"))
        yield* run("drop trigger failing on partner")
        const created = yield* create(server, token, "12ABC34501DE35")
        assert.strictEqual(created.status, 201, created.text)
        yield* ask(server, String(created.headers.get("location")), { method: "DELETE", token })
      }))
  })

  it.effect("a failed read is 503 with Retry-After", () =>
    Effect.gen(function*() {
      const server = yield* Server
      const token = tokenOf(yield* signIn(server))
      const run = (...statements: ReadonlyArray<string>) => administer(server.database, ...statements)
      yield* run(
        "alter table partner rename to moved_partner",
        `create function fail_read() returns boolean language plpgsql volatile
        as 'begin raise exception using errcode = ''53200''; end'`,
        // The view calls the function for each row.
        "create view partner as select * from moved_partner where fail_read()"
      )
      isUnavailable(yield* ask(server, "/api/v1/partners", { token }))
      yield* run("drop view partner", "alter table moved_partner rename to partner")
      assert.strictEqual((yield* ask(server, "/api/v1/partners", { token })).status, 200)
    }))

  it.effect("a read-only phase refuses writes, serves reads, and ends for all connections", () =>
    Effect.gen(function*() {
      const server = yield* Server
      const token = tokenOf(yield* signIn(server))
      const name = new URL(server.database).pathname.slice(1)
      const run = (statement: string) => administer(server.database.replace(`/${name}`, "/postgres"), statement)
      yield* run(`alter database ${name} set default_transaction_read_only = on`)
      yield* run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      const several = Effect.all(
        Array.from({ length: 6 }, () => create(server, token, "12ABC34501DE35")),
        { concurrency: "unbounded" }
      )
      yield* Effect.sleep("200 millis")
      const readable = Effect.map(ask(server, "/api/v1/partners", { token }), ({ status }) => status)
      yield* Effect.repeat(readable, { until: (status) => status === 200, times: 20 })
      for (const reply of yield* several) isUnavailable(reply)
      assert.strictEqual(yield* readable, 200)
      yield* run(`alter database ${name} reset default_transaction_read_only`)
      // One failed write replaces all connections, at most once a second.
      yield* Effect.sleep("1100 millis")
      yield* create(server, token, "12ABC34501DE35")
      const created = yield* Effect.all(Array.from({ length: 8 }, () => create(server, token, "12ABC34501DE35")), {
        concurrency: "unbounded"
      })
      assert.isTrue(
        created.every(({ status }) => status === 201 || status === 409),
        created.map(({ text }) => text).join()
      )
    }))
})
