import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { PgClient } from "@effect/sql-pg"
import { layerPasswordHasher } from "@lastro/adapters-http"
import { groups, PasswordHasher } from "@lastro/domain/identity"
import { seed as fill, vacuum } from "@lastro/seed"
import { Console, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type JSONWebKeySet } from "jose"
import { join } from "node:path"
import { database } from "../database.ts"
import { postmasterOf } from "../measure/postmasterOf.ts"
import { median } from "../measure/quantile.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { listingUsers, password, signIn } from "./callers.ts"
import { type PeerConfig } from "./PeerConfig.ts"
import { sameAnswers } from "./sameAnswers.ts"
import { shoot, type Shot } from "./shoot.ts"
import { startLastro } from "./startLastro.ts"
import { freePort, type Served, startServer } from "./startServer.ts"
import { statements } from "./statements.ts"

/** Size of the data, and number and length of the runs. */
export interface ServerOptions {
  readonly partners: number
  readonly users: number
  readonly seed: number
  readonly runs: number
  readonly seconds: number
}

const path = "/api/v1/users"

/** Numbers of concurrent connections, each measured separately. */
const concurrencies = [1, 16, 64]

const startPeer = Effect.fnUntraced(function*(url: string, lastro: Served) {
  const port = yield* freePort
  const keys = yield* Effect.promise(async () =>
    await (await fetch(`${lastro.url}/.well-known/jwks.json`)).json() as JSONWebKeySet
  )
  const config: PeerConfig = {
    port,
    database: url,
    connections: 10,
    issuer: lastro.url,
    keys,
    groups: groups.map(({ group_id, label, permissions, slug }) => ({ group_id, slug, label, permissions })),
    statements: yield* statements
  }
  return yield* startServer({
    name: "Fastify",
    port,
    args: [join(import.meta.dirname, "fastify.ts")],
    env: { PEER: JSON.stringify(config) },
    ready: path
  })
})

interface Measured extends Shot {
  readonly server: string
  readonly connections: number
}

const middle = (shots: ReadonlyArray<Measured>, of: (shot: Shot) => number | undefined): number =>
  median(shots.map((shot) => of(shot) ?? Number.NaN))

const summary = (server: string, connections: number, shots: ReadonlyArray<Measured>) => {
  const own = shots.filter((shot) => shot.server === server && shot.connections === connections)
  return {
    server,
    connections,
    runs: own.length,
    perSecond: middle(own, ({ perSecond }) => perSecond),
    p50: middle(own, ({ p50 }) => p50),
    p99: middle(own, ({ p99 }) => p99),
    serverCpu: middle(own, ({ serverCpu }) => serverCpu),
    databaseCpu: middle(own, ({ databaseCpu }) => databaseCpu)
  }
}

type Summary = ReturnType<typeof summary>

const row = ({ connections, databaseCpu, p50, p99, perSecond, server, serverCpu }: Summary) => [
  `${server}, ${connections}`,
  perSecond.toFixed(0),
  p50.toFixed(2),
  p99.toFixed(2),
  serverCpu.toFixed(3),
  databaseCpu.toFixed(3)
]

const ratios = (ours: Summary, theirs: Summary) => ({
  connections: ours.connections,
  perSecond: ours.perSecond / theirs.perSecond,
  p50: ours.p50 / theirs.p50,
  p99: ours.p99 / theirs.p99,
  serverCpu: ours.serverCpu / theirs.serverCpu,
  databaseCpu: ours.databaseCpu / theirs.databaseCpu
})

/** Starts Lastro and Fastify on the same database. Chooses users who can sign in, and gets a token for each. */
const servers = Effect.fn("servers")(function*({ partners, seed, users }: ServerOptions) {
  const sql = yield* SqlClient.SqlClient
  const { config: { url } } = yield* PgClient.PgClient
  if (url === undefined) return yield* Effect.die(new Error("The database has no URL"))
  const passwordHash = yield* (yield* PasswordHasher).hash(Redacted.make(password))
  yield* fill({ partners, users, applications: 0, seed, passwordHash })
  yield* vacuum()
  const lastro = yield* startLastro(Redacted.value(url))
  const peer = yield* startPeer(Redacted.value(url), lastro)
  const callers = yield* listingUsers(sql)
  const tokens = yield* Effect.forEach(callers, (caller) => signIn(lastro.url, caller))
  return { lastro, peer, callers, tokens }
})

/** Measures the same page of users, served alternately by Lastro and by Fastify. */
export const server = Effect.fn("server")(
  function*(options: ServerOptions) {
    const sql = yield* SqlClient.SqlClient
    const { callers, lastro, peer, tokens } = yield* servers(options)
    yield* sameAnswers([lastro, peer], path, tokens, ["", "?page=1", "?page=3"])
    yield* Console.log(table(
      ["caller's scope", "users"],
      callers.map(({ scope, users }) => [scope, String(users)])
    ))
    const postmaster = yield* postmasterOf(sql)
    const before = yield* machine
    const shots: Array<Measured> = []
    for (const connections of concurrencies) {
      const once = (served: Served, seconds: number) =>
        shoot(served, { url: served.url + path, connections, seconds, tokens }, postmaster)
      yield* once(lastro, 2)
      yield* once(peer, 2)
      for (let run = 0; run < options.runs; run++) {
        for (const served of run % 2 === 0 ? [lastro, peer] : [peer, lastro]) {
          shots.push({ server: served.name, connections, ...yield* once(served, options.seconds) })
        }
      }
    }
    const after = yield* machine
    const pairs = concurrencies.map((connections) =>
      [summary(lastro.name, connections, shots), summary(peer.name, connections, shots)] as const
    )
    const compared = pairs.map(([ours, theirs]) => ratios(ours, theirs))
    yield* Console.log(table(
      ["server, connections", "requests/s", "p50 ms", "p99 ms", "CPU ms", "database CPU ms"],
      pairs.flat().map(row)
    ))
    yield* Console.log(table(
      ["Lastro over Fastify", "requests/s", "p50", "p99", "CPU", "database CPU"],
      compared.map(({ connections, ...of }) => [
        `${connections} connections`,
        ...[of.perSecond, of.p50, of.p99, of.serverCpu, of.databaseCpu].map((ratio) => ratio.toFixed(2))
      ])
    ))
    const file = yield* writeResults(`server-${options.partners}-${options.users}`, {
      bench: "server",
      options,
      machine: after,
      load: { before: before.load, after: after.load },
      callers: callers.map(({ scope, users }) => ({ scope, users })),
      measured: pairs.flat(),
      ratios: compared,
      shots
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores, ${after.memoryGiB} GiB; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  Effect.scoped,
  (run) => Effect.provide(run, Layer.merge(database, Layer.provide(layerPasswordHasher(), NodeCrypto.layer)))
)
