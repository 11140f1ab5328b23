import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { cpus, loadavg, totalmem } from "node:os"

/** Where something was measured. */
interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly node: string
  readonly postgres: string
  /** Processes that ran or waited to run, on average over the last minute: on an idle machine about 0. */
  readonly load: number
}

/** This machine, now. */
export const machine = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<{ readonly version: string }>`select current_setting('server_version') as version`
  const all = cpus()
  const told: Machine = {
    cpu: all[0]?.model.trim() ?? "",
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: server?.version ?? "",
    load: loadavg()[0] ?? 0
  }
  return told
})
