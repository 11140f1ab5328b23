import { Effect } from "effect"
import { lastro } from "./Database.ts"
import { type Fault, onConnections, onDatabase, onProcess } from "./Fault.ts"
import { fillDisk, freeDisk } from "./fullDisk.ts"

const clockSkew = {
  NODE_OPTIONS: `--import=${new URL("clockSkew.ts", import.meta.url).href}`,
  ORDEAL_CLOCK_SKEW_MS: String(3_600_000)
}

/** Drops the connections of the nodes, so that they get a new setting of their role. */
export const dropConnections = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${lastro}'`

const cut: Fault = {
  name: "cut",
  subject: "connections",
  summary: "resets every connection to the database twice a second",
  strike: ({ affected }) =>
    Effect.forkScoped(
      Effect.forever(
        Effect.andThen(
          Effect.forEach(affected, ({ proxy }) => proxy.cut, { discard: true }),
          Effect.sleep("500 millis")
        )
      )
    )
}

/** Every fault, by name. */
export const faults: ReadonlyArray<Fault> = [
  cut,
  {
    name: "refuse",
    subject: "connections",
    summary: "resets every connection to the database and refuses new ones",
    strike: ({ affected }) =>
      Effect.forEach(affected, ({ proxy }) => Effect.andThen(proxy.treat({ kind: "REFUSE" }), proxy.cut), {
        discard: true
      })
  },
  onConnections("swallow", "drops all bytes and closes nothing; these connections stay dead", {
    kind: "SWALLOW",
    share: 1
  }),
  onConnections("swallow-some", "drops the bytes of three connections in ten and closes nothing", {
    kind: "SWALLOW",
    share: 0.3
  }),
  onConnections("stall", "holds all bytes back and delivers them after the fault", { kind: "STALL" }),
  onConnections("delay", "delays all bytes, for a round trip of 600 ms", { kind: "DELAY", ms: 300 }),
  onConnections("halve", "delivers half of every 50th chunk, then resets the connection", {
    kind: "HALVE",
    share: 0.02
  }),
  onConnections("reorder", "delays each chunk by up to 100 ms, so that connections overtake each other", {
    kind: "REORDER",
    ms: 100
  }),
  onProcess("kill", "kills a node with SIGKILL and starts it again", (node) => node.kill, (node) => node.start()),
  onProcess("freeze", "stops a node with SIGSTOP and continues it", (node) => node.freeze, (node) => node.thaw),
  onProcess(
    "skew",
    "restarts a node with a clock that is an hour ahead",
    (node) => Effect.andThen(node.stop, node.start(clockSkew)),
    (node) => Effect.andThen(node.stop, node.start())
  ),
  onDatabase("disk", "rejects every write with disk_full (SQLSTATE 53100)", fillDisk, freeDisk),
  onDatabase(
    "read-only",
    "makes every transaction read-only, as on a standby that is not promoted",
    ({ administer }) => administer(`alter role ${lastro} set default_transaction_read_only = on`, dropConnections),
    ({ administer }) => administer(`alter role ${lastro} reset default_transaction_read_only`, dropConnections)
  ),
  onDatabase(
    "connections",
    "limits the role of all nodes to three connections",
    ({ administer }) => administer(`alter role ${lastro} connection limit 3`, dropConnections),
    ({ administer }) => administer(`alter role ${lastro} connection limit -1`)
  ),
  onDatabase("crash", "kills PostgreSQL and starts it again", ({ kill }) => kill, ({ restart }) => restart),
  onDatabase(
    "failover",
    "kills PostgreSQL and promotes a synchronous standby",
    ({ follow, kill }) => Effect.andThen(follow, kill),
    (database, { nodes }) =>
      Effect.andThen(
        database.promote,
        Effect.suspend(() => Effect.forEach(nodes, ({ proxy }) => proxy.redirect(database.port()), { discard: true }))
      )
  )
]
