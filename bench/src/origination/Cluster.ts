import { PgClient } from "@effect/sql-pg"
import { type RecordingLenderServer, recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { signIn, tokenOf } from "../../../apps/server/test/running/asking.ts"
import { applicationClient, type Desk } from "../../../apps/server/test/running/desk.ts"
import { onPostgres, startServer } from "../../../apps/server/test/running/serving.ts"
import { freshDatabase } from "../database.ts"

/** A server process and its lender, which records the requests of this server. */
interface Node {
  readonly name: string
  readonly pid: number
  readonly shop: Desk
  readonly lender: RecordingLenderServer
}

/** Servers that share a database, and a client for that database. */
export interface Cluster {
  readonly name: string
  readonly url: string
  readonly sql: PgClient.PgClient
  readonly nodes: ReadonlyArray<Node>
}

const node = Effect.fnUntraced(function*(database: string, name: string) {
  const lender = yield* recordingLenderServer()
  const server = yield* startServer({
    ...onPostgres(database),
    LASTRO_NODE: name,
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url
  })
  return { name, pid: server.pid, lender, shop: applicationClient(server, tokenOf(yield* signIn(server))) }
})

/** Returns the number of shards that each connection has locked. A node locks all its shards on one connection. */
const shards = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ readonly held: number }>`
      select count(*)::int as held from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and datname = current_database() group by pid having count(*) > 1 order by held`,
    (rows) => rows.map(({ held }) => held)
  )

/** Total number of shards. */
const shardCount = 64

/** Starts one server for each name, all on the same fresh database. Waits until every shard is assigned to a server. */
export const cluster = Effect.fn("cluster")(function*(postgres: string, name: string, names: ReadonlyArray<string>) {
  const url = yield* freshDatabase(postgres)
  const nodes = yield* Effect.forEach(names, (one) => node(url, one))
  const sql = yield* Effect.provide(PgClient.make({ url: Redacted.make(url), maxConnections: 2 }), Reactivity.layer)
  let held: ReadonlyArray<number> = []
  while (held.length < nodes.length || held.reduce((one, other) => one + other, 0) < shardCount) {
    yield* Effect.sleep("200 millis")
    held = yield* shards(sql)
  }
  return { name, url, sql, nodes, shards: held }
})
