import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { openPostgresHost, type PostgresHost, type PostgresProcess } from "../../../test/PostgresHost.ts"
import { PgDatabase } from "../src/index.ts"

/** A running primary: the URL of its superuser, its port, and the name of its data directory. */
interface Primary {
  readonly url: string
  readonly port: number
  readonly data: string
}

/**
 * Opens a host for PostgreSQL servers with the initialized data directory "0". `start` starts a server on a data
 * directory, and `kill` ends one. The scope removes the servers and their data.
 */
export const openServers = Effect.fnUntraced(function*(settings: Readonly<Record<string, string>>) {
  const host = yield* Effect.acquireRelease(
    Effect.promise(openPostgresHost),
    ({ directory }) => Effect.promise(() => rm(directory, { recursive: true, force: true, maxRetries: 20 }))
  )
  yield* Effect.promise(() => host.initialize("0"))
  const running = new Set<PostgresProcess>()
  yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all(Array.from(running, ({ remove }) => remove()))))
  const start = (data: string, port?: number) =>
    Effect.promise(async () => {
      const started = await host.start({ data, settings, ...(port === undefined ? {} : { port }) })
      running.add(started)
      return started
    })
  const kill = (server: PostgresProcess) =>
    Effect.promise(async () => {
      running.delete(server)
      await server.end("SIGKILL")
    })
  return { host, start, kill }
})

/**
 * Makes the data directory `to` a copy of a running primary that follows it as a streaming standby. The programs of the
 * npm package include no pg_basebackup. This is the same protocol, with a copy of the files.
 */
export const copyAsStandby = Effect.fnUntraced(function*(host: PostgresHost, { data, port, url }: Primary, to: string) {
  const write = (name: string, content: string) => Effect.promise(() => host.write(to, name, content))
  const label = yield* Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`select pg_backup_start('standby', true)::text`
    host.copy(data, to)
    const [row] = yield* sql<{ readonly labelfile: string }>`select labelfile from pg_backup_stop()`
    return row?.labelfile ?? ""
  }).pipe(
    Effect.provide(
      PgDatabase.layer({ url: Redacted.make(url), maxConnections: 1, statementTimeout: "5 minutes" }),
      { local: true }
    ),
    Effect.orDie
  )
  yield* Effect.promise(() => rm(join(host.directory, to, "postmaster.pid"), { force: true }))
  yield* write("backup_label", label)
  yield* write("standby.signal", "")
  yield* write(
    "postgresql.auto.conf",
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres application_name=standby'\n`
  )
})
