import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { PgClient } from "@effect/sql-pg"
import { layerPasswordHasher } from "@lastro/adapters-http/security"
import { PasswordHasher } from "@lastro/domain/identity"
import { seed as fill, vacuum } from "@lastro/seed"
import { Console, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { database } from "../database.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { listingUsers, password, signIn } from "../server/callers.ts"
import { startLastro } from "../server/startLastro.ts"
import { sendByHey } from "./hey.ts"
import { type OverloadOptions } from "./overload.ts"
import { probing } from "./probe.ts"

/** Options of the benchmark: those of `overload`, and the number of rounds. */
export interface BurstOptions extends OverloadOptions {
  readonly rounds: number
}

/** Number of connections of the load that the server sustains. */
const sustainedConnections = 16

const head = [
  "round, load",
  "sent/s",
  "200/s",
  "503/s",
  "others",
  "p50 ms",
  "p99 ms",
  "max ms",
  "health p99",
  "health max"
]

/**
 * Measures reads of a page of users with the load generator `hey` of another author: under the load that the server
 * sustains, under a multiple of it over connections that are opened at the same time, under the same multiple with a
 * connection for each request, and under the first load again 5 s later. A health check with a new connection is sent
 * every 50 ms.
 */
export const burst = Effect.fn("burst")(
  function*(options: BurstOptions) {
    const sql = yield* SqlClient.SqlClient
    const { config: { url } } = yield* PgClient.PgClient
    if (url === undefined) return yield* Effect.die(new Error("The database has no URL"))
    const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
    yield* fill({ ...options, applications: 0, passwordHash })
    yield* vacuum()
    const lastro = yield* startLastro(Redacted.value(url))
    const callers = yield* listingUsers(sql)
    const tokens = yield* Effect.forEach(callers, (caller) => signIn(lastro.url, caller))
    const { connections, rounds, seconds, times } = options
    const target = { url: `${lastro.url}/api/v1/users?size=20`, tokens, seconds, opens: false }
    const sustained = { ...target, connections: sustainedConnections }
    const measure = Effect.fnUntraced(function*(load: typeof sustained & { readonly perSecond?: number }) {
      const [result, health] = yield* probing(`${lastro.url}/health/live`, {}, sendByHey(load), false)
      return { ...result, health }
    })
    const before = yield* machine
    yield* sendByHey(sustained)
    const measured: Array<Record<string, Effect.Success<ReturnType<typeof measure>>>> = []
    for (let round = 0; round < rounds; round++) {
      const rested = yield* measure(sustained)
      const over = { ...target, connections, perSecond: rested.acceptedPerSecond * times }
      const flooded = yield* measure(over)
      yield* Effect.sleep("5 seconds")
      const opening = yield* measure({ ...over, opens: true })
      yield* Effect.sleep("5 seconds")
      measured.push({
        sustained: rested,
        [`${times} ×`]: flooded,
        [`${times} ×, a connection for each request`]: opening,
        "5 s later": yield* measure(sustained)
      })
    }
    const after = yield* machine
    yield* Console.log(table(
      head,
      measured.flatMap((round, index) =>
        Object.entries(round).map(([name, one]) => [
          `${index + 1}, ${name}`,
          one.sentPerSecond.toFixed(0),
          one.acceptedPerSecond.toFixed(0),
          one.refusedPerSecond.toFixed(0),
          String(one.others + one.health.failed),
          one.p50.toFixed(0),
          one.p99.toFixed(0),
          one.slowest.toFixed(0),
          one.health.p99.toFixed(0),
          one.health.slowest.toFixed(0)
        ])
      )
    ))
    const file = yield* writeResults("burst", {
      bench: "burst",
      options,
      machine: after,
      load: { before: before.load, after: after.load },
      measured
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  Effect.scoped,
  (run) => Effect.provide(run, Layer.merge(database, Layer.provide(layerPasswordHasher(), NodeCrypto.layer)))
)
