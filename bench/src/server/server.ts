import { groups } from "@lastro/domain/access"
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { type JSONWebKeySet } from "jose"
import { join } from "node:path"
import { benchmark, dataFlags, shown, table, text, whole } from "../harness/benchmark.ts"
import { listingUsers, seededLastro } from "../harness/callers.ts"
import { database } from "../harness/database.ts"
import { generateLoad, type Load } from "../harness/load.ts"
import {
  familyTime,
  metered,
  postmasterOf,
  processorTime,
  residentMemory,
  type Served,
  startProgram
} from "../harness/processes.ts"
import { ascending, median, quantile } from "../harness/statistics.ts"
import { callerInputs, type Operation, operations } from "./operations.ts"
import type { PeerConfig } from "./peer/setUp.ts"
import { type Bench, compareServers } from "./sameAnswers.ts"
import { compareBody, startUsual } from "./usual/usual.ts"

/**
 * Number of database connections of the hand-written server. Lastro's API uses as many: it runs 8 requests at a time
 * (`LASTRO_CONCURRENCY`), each with one connection.
 */
const connections = 8

/** Returns the configuration of a server on the database of Lastro. The server accepts the tokens of Lastro. */
const peerConfig = Effect.fnUntraced(function*(database: string, lastro: Served) {
  const keys = yield* Effect.promise(async () =>
    await (await fetch(`${lastro.url}/.well-known/jwks.json`)).json() as JSONWebKeySet
  )
  return (port: number): PeerConfig => ({ port, database, connections, issuer: lastro.url, keys, groups })
})

/** Starts the hand-written server. */
const startPeer = (config: (port: number) => PeerConfig) =>
  startProgram({
    name: "hand-written",
    args: [join(import.meta.dirname, "peer", "main.ts")],
    env: (port) => ({ NODE_ENV: "production", PEER: JSON.stringify(config(port)) }),
    ready: "/health/live"
  })

/** The measures of a run. Times are in milliseconds; processor times are per request. */
const measures = ["perSecond", "p50", "p99", "node", "postgres", "both"] as const
type Measures = Readonly<Record<typeof measures[number], number>>

/** Milliseconds at the start of a run that are not measured. */
const settle = 300

/** Applies load to a server. Measures the processor time of the server and of PostgreSQL. */
const shoot = Effect.fnUntraced(function*({ name, pid }: Served, load: Load, postmaster: number) {
  const [nodeTime, postgresTime] = [metered(() => processorTime(pid)), metered(() => familyTime(postmaster))]
  const { accepted, answered, milliseconds, others, refused } = yield* generateLoad({ ...load, settle })
  if (others > 0 || accepted.length === 0) {
    return yield* Effect.die(new Error(`${name} returned neither 2xx nor 503 to ${others} requests`))
  }
  const [node, postgres] = [nodeTime() / answered, postgresTime() / answered]
  const sorted = ascending(accepted)
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  // `refused` counts 503 responses. On a busy machine, Lastro rejects requests that would have to wait too long.
  return { refused, perSecond: accepted.length / milliseconds * 1_000, p50, p99, node, postgres, both: node + postgres }
})

const mediansOf = (valuesOf: (measure: keyof Measures) => ReadonlyArray<number>): Measures =>
  Object.fromEntries(measures.map((measure) => [measure, median(valuesOf(measure))])) as Measures

/**
 * Runs a load on both servers in alternating order. A ratio is Lastro's result divided by the peer's result of the same
 * round, because these runs follow each other directly.
 */
const compare = Effect.fnUntraced(function*(
  run: (served: Served) => ReturnType<typeof shoot>,
  lastro: Served,
  peer: Served,
  rounds: number
) {
  const ours: Array<Effect.Success<ReturnType<typeof shoot>>> = []
  const theirs: typeof ours = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ours.push(yield* run(lastro))
    theirs.push(yield* run(peer))
    if (round % 2 === 1) ours.push(yield* run(lastro))
  }
  return {
    lastro: mediansOf((measure) => ours.map((run) => run[measure])),
    peer: mediansOf((measure) => theirs.map((run) => run[measure])),
    ratios: mediansOf((measure) => ours.map((run, round) => run[measure] / (theirs[round]?.[measure] ?? Number.NaN))),
    runs: { ours, theirs }
  }
})

type Compared = Effect.Success<ReturnType<typeof compare>>

const decimals = { perSecond: 0, p50: 2, p99: 2, node: 3, postgres: 3, both: 3 } as const

/** Formats a ratio, and in brackets the results of both servers. */
const cell = ({ lastro, peer, ratios }: Compared, name: keyof Measures): string => {
  const [ours, theirs] = [lastro, peer].map((medians) => shown(medians[name], decimals[name]))
  return `${shown(ratios[name], 2)} (${ours} / ${theirs})`
}

/** Returns the operations with these names, separated by commas. An empty text selects all. */
const selected = (names: string): ReadonlyArray<Operation> =>
  names === "" ? operations : names.split(",").map((name) => {
    const found = operations.find((one) => one.name === name)
    if (found !== undefined) return found
    throw new Error(`There is no operation ${name}: ${operations.map(({ name }) => name).join(", ")}`)
  })

const flags = {
  ...dataFlags,
  usual: Flag.Boolean("usual").pipe(
    Flag.withDefault(false),
    Flag.withDescription(
      "Also measures the servers that people usually write: NestJS with Prisma, and HttpApi with sql-pg"
    )
  ),
  applications: whole("applications", 5_000, "Number of applications"),
  operations: text("operations", "", "Names of operations, separated by commas. Default: all"),
  connections: text("connections", "1,16,64", "Numbers of connections, separated by commas"),
  runs: whole("runs", 4, "Number of runs of each server under each load"),
  seconds: whole("seconds", 2, "Seconds per run"),
  // V8 has compiled the code of an operation completely only after about 40 000 requests. PostgreSQL plans a prepared
  // statement again in its first runs on each connection.
  warmUp: whole("warm-up", 40_000, "Number of requests to each server before the first run of an operation")
}

/** Measures Lastro and a hand-written server on the same schema. Both give the same responses. */
export const server = benchmark(
  "server",
  "Measures the API over HTTP, compared with a hand-written server with Fastify and pg",
  flags,
  Effect.fnUntraced(function*(options) {
    const sql = yield* SqlClient.SqlClient
    const { runs, seconds, warmUp } = options
    const chosen = selected(options.operations)
    const { lastro, passwordHash, url } = yield* seededLastro(options)
    const config = yield* peerConfig(url, lastro)
    const peer = yield* startPeer(config)
    const usual = options.usual ? yield* startUsual(config) : []
    const callers = yield* Effect.forEach(yield* listingUsers(sql), (user) => callerInputs(sql, lastro.url, user))
    const bench: Bench = { passwordHash, lastro, peer, callers }
    const answers = yield* compareServers(bench, chosen)
    yield* Console.log(`${answers} answers of both servers are the same.`)
    const reads = chosen.filter(({ kind }) => kind !== "write").flatMap(({ lanes }) => lanes(callers, 0).flat())
    yield* Effect.forEach(
      usual,
      (one) => Effect.forEach(reads.slice(0, 500), (ask) => compareBody(lastro, one, ask), { discard: true })
    )
    const postmaster = yield* postmasterOf(sql)
    const results: Array<Compared & { readonly name: string }> = []
    let loads = 0
    for (const { lanes, name } of chosen) {
      const run = (connections: number, end: Pick<Load, "seconds" | "requests">) => (served: Served) =>
        shoot(served, { url: served.url, connections, ...end, lanes: lanes(callers, loads++) }, postmaster)
      yield* Effect.forEach([lastro, peer, ...usual], run(16, { requests: warmUp }), { discard: true })
      for (const other of [peer, ...usual]) {
        for (const connections of options.connections.split(",")) {
          const compared = yield* compare(run(Number(connections), { seconds }), lastro, other, runs)
          results.push({ name: `${name}, ${connections}${other === peer ? "" : `, ${other.name}`}`, ...compared })
        }
      }
      yield* Console.error(`${name} measured`)
    }
    const memory = [lastro, peer, ...usual].map(({ pid }) => residentMemory(pid))
    const head = ["requests/s", "p50 ms", "p99 ms", "node ms", "PostgreSQL ms", "both ms"]
    const rows = results.map((one) => [one.name, ...measures.map((measure) => cell(one, measure))])
    const refusals = results.map((
      { name, runs: { ours } }
    ) => [name, ours.reduce((sum, { refused }) => sum + refused, 0)])
    return {
      lines: [
        table(["Lastro ÷ hand-written", ...head], rows),
        `Resident memory after the runs, in MiB: ${memory.map((value) => shown(value)).join(" / ")}.`,
        `503 responses of Lastro: ${refusals.filter(([, count]) => count !== 0).join("; ")}.`
      ],
      results: { answers, memory, results }
    }
  }, Effect.provide(database))
)
