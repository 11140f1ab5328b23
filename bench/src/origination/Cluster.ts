import { PgClient } from "@effect/sql-pg"
import { type RecordingLenderServer, recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Redacted, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { signIn, tokenOf } from "../../../apps/server/test/running/asking.ts"
import { applicationClient, type Desk } from "../../../apps/server/test/running/desk.ts"
import { type Environment } from "../../../apps/server/test/running/lastro.ts"
import { onPostgres, startServer } from "../../../apps/server/test/running/serving.ts"
import { freshDatabase } from "../database.ts"

/** A server process, and a lender that records the requests of this server only. */
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

const settingsOf = ({ url }: RecordingLenderServer): Effect.Effect<Environment> =>
  Effect.succeed({ LASTRO_LENDER_URL: url })

const node = Effect.fnUntraced(function*(
  database: string,
  name: string,
  lenderSettings: (lender: RecordingLenderServer) => Effect.Effect<Environment, never, Scope.Scope>
) {
  const lender = yield* recordingLenderServer()
  const server = yield* startServer({
    ...onPostgres(database),
    LASTRO_NODE: name,
    LASTRO_LENDER: "http",
    ...yield* lenderSettings(lender)
  })
  return { name, pid: server.pid, lender, shop: applicationClient(server, tokenOf(yield* signIn(server))) }
})

/** Returns the number of nodes that poll for jobs. */
const countWorkers = (sql: PgClient.PgClient) =>
  Effect.map(sql<{ readonly workers: number }>`select count(*)::int as workers from node`, ([row]) => row?.workers ?? 0)

/** Starts one server for each name, all on the same new database. Waits until every server polls for jobs. */
export const cluster = Effect.fn("cluster")(function*(
  postgres: string,
  name: string,
  names: ReadonlyArray<string>,
  lenderSettings: (lender: RecordingLenderServer) => Effect.Effect<Environment, never, Scope.Scope> = settingsOf
) {
  const url = yield* freshDatabase(postgres)
  const nodes = yield* Effect.forEach(names, (one) => node(url, one, lenderSettings))
  const sql = yield* Effect.provide(PgClient.make({ url: Redacted.make(url), maxConnections: 2 }), Reactivity.layer)
  while ((yield* countWorkers(sql)) < nodes.length) yield* Effect.sleep("200 millis")
  return { name, url, sql, nodes }
})
