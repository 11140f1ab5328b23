import { Effect, type Scope } from "effect"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { copyAsStandby, openServers } from "../../../../packages/adapters-sql/test/standby.ts"
import { type PostgresProcess } from "../../../../test/PostgresHost.ts"
import { execute, type Row } from "../running/execute.ts"

// The processes are killed, the machine is not. So commits wait for the kernel, but not for the disk.
const settings = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "100",
  shared_buffers: "128MB",
  wal_keep_size: "512MB",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

/** The name of the database, and of the role with which the nodes connect. The role is no superuser. */
export const lastro = "lastro"

/** A PostgreSQL server that can crash, restart, and be replaced by a standby. */
export interface Database {
  /** The port of the present primary. */
  readonly port: () => number
  /** The URL of the database on the present primary, for the superuser. */
  readonly url: () => string
  /** Runs statements as the superuser on one connection. Returns the rows of the last one. */
  readonly administer: (...statements: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>>
  /** Kills the primary with SIGKILL. */
  readonly kill: Effect.Effect<void>
  /** Starts the killed primary again, on the same port. */
  readonly restart: Effect.Effect<void>
  /** Starts a standby of the primary. From then on, a commit waits until the standby has stored it. */
  readonly follow: Effect.Effect<void>
  /** Promotes the standby. The primary must have been killed. */
  readonly promote: Effect.Effect<void>
}

/** The timeout of a statement. The nodes and the traffic share the processors with the database. */
const slow = "5 minutes"

const urlOf = (port: number, database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`

/** Starts a PostgreSQL server of its own, with an empty database and a role for the nodes. */
export const startDatabase: Effect.Effect<Database, never, Scope.Scope> = Effect.gen(function*() {
  const { host, kill, start: startOn } = yield* openServers(settings)
  const start = (data: number, port?: number) => startOn(String(data), port)

  let data = 0
  let primary = yield* start(data)
  let standby: PostgresProcess | undefined
  const url = () => urlOf(primary.port, lastro)
  const administer = (...statements: ReadonlyArray<string>) => Effect.orDie(execute(url(), statements, slow))

  yield* Effect.orDie(execute(urlOf(primary.port, "postgres"), [
    `create role ${lastro} login`,
    `create database ${lastro} owner ${lastro}`
  ], slow))
  return {
    port: () => primary.port,
    url,
    administer,
    kill: Effect.suspend(() => kill(primary)),
    restart: Effect.gen(function*() {
      primary = yield* start(data, primary.port)
    }),
    follow: Effect.gen(function*() {
      yield* copyAsStandby(host, { url: url(), port: primary.port, data: String(data) }, String(data + 1))
      standby = yield* start(data + 1)
      yield* administer("alter system set synchronous_standby_names = 'standby'", "select pg_reload_conf()")
      yield* Effect.repeat(
        administer("select count(*)::int as n from pg_stat_replication where sync_state = 'sync'").pipe(
          Effect.delay("100 millis")
        ),
        { until: ([row]) => row?.["n"] === 1 }
      ).pipe(Effect.timeout("1 minute"), Effect.orDie)
    }),
    promote: Effect.gen(function*() {
      if (standby === undefined) return yield* Effect.die("There is no standby.")
      const url = `${urlOf(standby.port, lastro)}?target_session_attrs=any`
      yield* Effect.orDie(execute(url, ["select pg_promote()"], slow))
      yield* Effect.promise(() => rm(join(host.directory, String(data)), { recursive: true, force: true }))
      primary = standby
      standby = undefined
      data++
    })
  }
})
