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
import { asEach } from "../server/Ask.ts"
import { listingUsers, password, signIn } from "../server/callers.ts"
import { startLastro } from "../server/startLastro.ts"
import { type Flooded, send } from "./send.ts"
import { simulations } from "./simulate.ts"
import { starve } from "./starve.ts"

/** Size of the data, and length of the runs. */
export interface OverloadOptions {
  readonly partners: number
  readonly users: number
  readonly seed: number
  readonly seconds: number
  /** The overload as a multiple of the load that the server sustains. */
  readonly times: number
  /** Maximum number of requests in progress during the overload. */
  readonly connections: number
}

/** Number of connections of the load that the server sustains. */
const sustainedConnections = 16

const row = (name: string, flooded: Flooded) => [
  name,
  flooded.sentPerSecond.toFixed(0),
  flooded.acceptedPerSecond.toFixed(0),
  flooded.refusedPerSecond.toFixed(0),
  String(flooded.others),
  flooded.p50.toFixed(0),
  flooded.p99.toFixed(0),
  flooded.laterP99.toFixed(0),
  flooded.refusedP99.toFixed(0),
  flooded.slowestLive.toFixed(0),
  flooded.slowestReady.toFixed(0),
  String(flooded.unhealthy),
  flooded.serverCpu?.toFixed(2) ?? ""
]

const head = [
  "load",
  "sent/s",
  "2xx/s",
  "503/s",
  "others",
  "p50 ms",
  "p99 ms",
  "p99 after 2 s",
  "503 p99 ms",
  "live max ms",
  "ready max ms",
  "unhealthy",
  "CPU"
]

/**
 * Measures reads of a page of users: under the load that the server sustains, under a multiple of it, and under the
 * first load again 5 s later. The overload comes from several callers, and then from a single one.
 */
export const overload = Effect.fn("overload")(
  function*(options: OverloadOptions) {
    const sql = yield* SqlClient.SqlClient
    const { config: { url } } = yield* PgClient.PgClient
    if (url === undefined) return yield* Effect.die(new Error("The database has no URL"))
    const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
    yield* fill({ ...options, applications: 0, passwordHash })
    yield* vacuum()
    const lastro = yield* startLastro(Redacted.value(url))
    const callers = yield* listingUsers(sql)
    const tokens = yield* Effect.forEach(callers, (caller) => signIn(lastro.url, caller))
    const { seconds } = options
    const before = yield* machine
    const target = { url: lastro.url, seconds, lanes: [asEach("/api/v1/users", tokens)] }
    const sustained = { ...target, connections: sustainedConnections }
    yield* send(lastro, { ...sustained, seconds: 3 })
    const rested = yield* send(lastro, sustained)
    const perSecond = Math.round(rested.acceptedPerSecond * options.times)
    const flooded = yield* send(lastro, { ...target, connections: options.connections, perSecond })
    yield* Effect.sleep("5 seconds")
    const recovered = yield* send(lastro, sustained)
    const oneCaller = yield* send(lastro, {
      ...target,
      lanes: [asEach("/api/v1/users", tokens.slice(0, 1))],
      connections: options.connections,
      perSecond
    })
    yield* Effect.sleep("5 seconds")
    const starved = yield* starve(lastro, tokens, seconds)
    const after = yield* machine
    yield* Console.log(table(head, [
      row("sustained", rested),
      row(`${options.times} ×`, flooded),
      row("5 s later", recovered),
      row(`${options.times} ×, one caller`, oneCaller)
    ]))
    yield* Console.log(table(
      ["another caller's read", "p50 ms", "max ms", "failed"],
      starved.map(({ failed, name, p50, slowest }) => [
        name,
        p50.toFixed(1),
        slowest.toFixed(0),
        String(failed)
      ])
    ))
    const simulated = simulations()
    yield* Console.log(table(
      ["simulated load, order", "capacity used", "p50 ms", "p99 ms", "503 p50 ms"],
      simulated.map(({ acceptedShare, name, p50, p99, refusedP50 }) => [
        name,
        acceptedShare.toFixed(2),
        p50.toFixed(0),
        p99.toFixed(0),
        Number.isNaN(refusedP50) ? "–" : refusedP50.toFixed(0)
      ])
    ))
    const file = yield* writeResults("overload", {
      bench: "overload",
      options,
      machine: after,
      load: { before: before.load, after: after.load },
      measured: { sustained: rested, flooded, recovered, oneCaller, starved, simulated }
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  Effect.scoped,
  (run) => Effect.provide(run, Layer.merge(database, Layer.provide(layerPasswordHasher(), NodeCrypto.layer)))
)
