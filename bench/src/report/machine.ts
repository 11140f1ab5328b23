import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { cpus, loadavg, totalmem } from "node:os"

/** Where something was measured. */
interface Host {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  /** Processes that ran or waited to run, on average over the last minute: on an idle machine about 0. */
  readonly load: number
}

/** This machine, now. */
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

/** This machine, now, and its PostgreSQL. */
export const machine = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ readonly version: string }>`select current_setting('server_version') as version`
  return { ...host(), postgres: server?.version ?? "" }
})
