import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { cpus, loadavg, totalmem } from "node:os"

/** The machine on which a measurement ran. */
interface Host {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  /** Load average over the last minute. */
  readonly load: number
}

/** Returns the properties of this machine. */
export const host = (): Host => {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? "",
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadavg()[0] ?? 0
  }
}

/** Returns the properties of this machine and the version of its PostgreSQL. */
export const machine = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ readonly version: string }>`select current_setting('server_version') as version`
  return { ...host(), postgres: server?.version ?? "" }
})
