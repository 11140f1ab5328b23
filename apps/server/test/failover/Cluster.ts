import { Effect, type Scope } from "effect"
import { type SqlError } from "effect/sql"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { copyAsStandby, openServers } from "../../../../packages/adapters-sql/test/standby.ts"
import { type PostgresProcess } from "../../../../test/PostgresHost.ts"
import { execute, type Row } from "../running/execute.ts"
import { type FaultProxy, openFaultProxy } from "../running/FaultProxy.ts"

// The processes are killed, the machine is not. So commits wait for the kernel, but not for the disk.
const settings = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "100",
  shared_buffers: "64MB",
  wal_keep_size: "512MB",
  wal_receiver_timeout: "5s",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

/** One server, behind a proxy through which the nodes and the other server reach it. */
interface Member {
  readonly proxy: FaultProxy
  process: PostgresProcess
  /** The name of the data directory. */
  data: string
}

/** Two PostgreSQL servers: a primary and its synchronous standby. */
export interface Cluster {
  /** The URL with both hosts. */
  readonly url: string
  /** Runs a statement on the primary as the superuser. */
  readonly administer: (statement: string) => Effect.Effect<ReadonlyArray<Row>>
  readonly primary: () => Member
  readonly standby: () => Member
  /** Kills the primary with SIGKILL. */
  readonly kill: Effect.Effect<void>
  /** Ends the primary after it has sent everything to the standby. */
  readonly shutDown: Effect.Effect<void>
  /** Promotes the standby, and completes when it accepts writes. The former primary becomes `standby`. */
  readonly promote: Effect.Effect<void>
  /** Starts `standby`, which has ended, as a synchronous standby. It keeps its data if `isClean`, or else gets a copy. */
  readonly rejoin: (isClean: boolean) => Effect.Effect<void>
}

const executeAt = (port: number, database: string, statement: string) =>
  execute(`postgres://postgres@127.0.0.1:${port}/${database}?target_session_attrs=any`, [statement], "1 minute")

/** Starts a primary and a synchronous standby, with the empty database `lastro` and a role for the nodes. */
export const startCluster: Effect.Effect<Cluster, SqlError.SqlError, Scope.Scope> = Effect.gen(function*() {
  const { host, kill, start } = yield* openServers(settings)
  let copies = 0
  const open = Effect.fnUntraced(function*(data: string) {
    const process = yield* start(data)
    return { data, process, proxy: yield* openFaultProxy(process.port) } satisfies Member as Member
  })
  const superuser = (statement: string, database = "postgres") => executeAt(primary.process.port, database, statement)
  const follow = (data: string, port: number) =>
    copyAsStandby(host, {
      url: `postgres://postgres@127.0.0.1:${primary.process.port}/postgres`,
      port,
      data: primary.data
    }, data)
  /** Waits until the standby receives all changes, and then makes each commit wait for it. */
  const synchronize = Effect.gen(function*() {
    const wait = (condition: string) =>
      Effect.repeat(superuser(`select from pg_stat_replication where ${condition}`).pipe(Effect.delay("50 millis")), {
        until: (rows) => rows.length === 1
      })
    yield* wait("state = 'streaming'")
    yield* superuser("alter system set synchronous_standby_names = 'standby'")
    yield* superuser("select pg_reload_conf()")
    yield* wait("sync_state = 'sync'")
  }).pipe(Effect.timeout("1 minute"), Effect.orDie)

  let primary = yield* open("0")
  yield* superuser("create role lastro login")
  yield* superuser("create database lastro owner lastro")
  yield* follow("1", primary.proxy.port)
  let standby = yield* open("1")
  yield* synchronize
  const ports = [primary, standby].map(({ proxy }) => `127.0.0.1:${proxy.port}`)
  return {
    url: `postgres://lastro@${ports.join(",")}/lastro`,
    administer: (statement) => Effect.orDie(superuser(statement, "lastro")),
    primary: () => primary,
    standby: () => standby,
    kill: Effect.suspend(() => kill(primary.process)),
    shutDown: Effect.suspend(() => Effect.promise(() => primary.process.end("SIGINT"))),
    promote: Effect.gen(function*() {
      yield* Effect.orDie(executeAt(standby.process.port, "postgres", "select pg_promote()"))
      const former = primary
      primary = standby
      standby = former
    }),
    rejoin: (isClean) =>
      Effect.gen(function*() {
        const { data: old, process: { port } } = standby
        if (isClean) {
          yield* Effect.promise(async () => {
            await host.write(old, "standby.signal", "")
            await host.write(
              old,
              "postgresql.auto.conf",
              `primary_conninfo = 'host=127.0.0.1 port=${primary.proxy.port} user=postgres application_name=standby'\n`
            )
          })
        } else {
          standby.data = `copy-${copies++}`
          yield* follow(standby.data, primary.proxy.port)
          yield* Effect.promise(() => rm(join(host.directory, old), { recursive: true, force: true }))
        }
        standby.process = yield* start(standby.data, port)
        yield* synchronize
      })
  }
})
