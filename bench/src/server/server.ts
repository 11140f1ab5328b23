import { groups } from "@lastro/domain/access"
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import { type JSONWebKeySet } from "jose"
import { join } from "node:path"
import { benchmark, dataFlags, shown, table, text, whole } from "../harness/benchmark.ts"
import { seededLastro } from "../harness/callers.ts"
import { database } from "../harness/database.ts"
import { generateLoad, type Load } from "../harness/load.ts"
import { meterCost, residentMemory, type Served, startProgram } from "../harness/processes.ts"
import { inRounds } from "../harness/rounds.ts"
import { median, percentilesOf } from "../harness/statistics.ts"
import { operationOf, operations } from "./operations.ts"
import type { PeerConfig } from "./peer/setUp.ts"
import { compareServers } from "./sameAnswers.ts"
import { buildNest, compareBody } from "./usual/usual.ts"

/**
 * Number of database connections of the hand-written server. Lastro's API uses as many: it runs 8 requests at a time
 * (`LASTRO_CONCURRENCY`), each with one connection.
 */
const connections = 8

/**
 * Returns a function that starts another server on the database of Lastro. The server accepts the tokens of Lastro.
 */
const otherServers = Effect.fnUntraced(function*(database: string, { url: issuer }: Served) {
  const keys = yield* Effect.promise(async () =>
    await (await fetch(`${issuer}/.well-known/jwks.json`)).json() as JSONWebKeySet
  )
  return (name: string, program: string) =>
    startProgram({
      name,
      args: [program],
      env: (port) => {
        const config: PeerConfig = { port, database, connections, issuer, keys, groups }
        return { NODE_ENV: "production", PEER: JSON.stringify(config) }
      },
      ready: "/health/live"
    })
})

/** The measures of a run with their decimals. Times are in milliseconds; processor times are per request. */
const decimals = { perSecond: 0, p50: 2, p99: 2, node: 3, postgres: 3, both: 3 } as const

const measures = Object.keys(decimals) as ReadonlyArray<keyof typeof decimals>

/** Milliseconds at the start of a run that are not measured. */
const settle = 300

/** Applies load to a server. Measures the processor time of the server and of PostgreSQL. */
const shoot = Effect.fnUntraced(function*({ name, pid }: Served, load: Load, postmaster: number) {
  const costOf = meterCost([pid], postmaster)
  const { accepted, answered, milliseconds, others, refused } = yield* generateLoad({ ...load, settle })
  if (others > 0 || accepted.length === 0) {
    return yield* Effect.die(new Error(`${name} returned neither 2xx nor 503 to ${others} requests`))
  }
  const { node, postgres } = costOf(answered)
  const { p50, p99 } = percentilesOf(accepted)
  // `refused` counts 503 responses. On a busy machine, Lastro rejects requests that would have to wait too long.
  return { refused, perSecond: accepted.length / milliseconds * 1_000, p50, p99, node, postgres, both: node + postgres }
})

const mediansOf = (valuesOf: (measure: keyof typeof decimals) => ReadonlyArray<number>) =>
  Object.fromEntries(measures.map((measure) => [measure, median(valuesOf(measure))])) as Readonly<
    Record<keyof typeof decimals, number>
  >

/**
 * Runs a load on both servers in alternating order. A ratio is Lastro's result divided by the peer's result of the same
 * round, because these runs follow each other directly.
 */
const compare = Effect.fnUntraced(function*(
  run: (served: Served) => ReturnType<typeof shoot>,
  servers: readonly [lastro: Served, peer: Served],
  rounds: number
) {
  const [ours = [], theirs = []] = (yield* inRounds(servers, rounds, run)).map(({ runs }) => runs)
  return {
    lastro: mediansOf((measure) => ours.map((run) => run[measure])),
    peer: mediansOf((measure) => theirs.map((run) => run[measure])),
    ratios: mediansOf((measure) => ours.map((run, round) => run[measure] / theirs[round]![measure])),
    refused: ours.reduce((sum, { refused }) => sum + refused, 0),
    runs: { ours, theirs }
  }
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
    const { runs, seconds, warmUp } = options
    const chosen = options.operations === "" ? operations : options.operations.split(",").map(operationOf)
    const { callers, databaseUrl, lastro, passwordHash, postmaster } = yield* seededLastro(options)
    const start = yield* otherServers(databaseUrl, lastro)
    const peer = yield* start("hand-written", join(import.meta.dirname, "peer", "main.ts"))
    const usual = options.usual
      ? [
        yield* start("NestJS, Prisma", yield* buildNest),
        yield* start("HttpApi, sql-pg", join(import.meta.dirname, "usual", "httpApi.ts"))
      ]
      : []
    const answers = yield* compareServers({ passwordHash, lastro, peer, callers }, chosen)
    yield* Console.log(`${answers} answers of both servers are the same.`)
    const reads = chosen.filter(({ name }) => name !== "patch-partner").flatMap(({ lanes }) =>
      lanes(callers, 0).flat().slice(0, 100)
    )
    yield* Effect.forEach(usual, (served) => Effect.forEach(reads, (ask) => compareBody(lastro, served, ask)))
    const results: Array<Effect.Success<ReturnType<typeof compare>> & { readonly name: string }> = []
    let loads = 0
    const others = [peer, ...usual]
    for (const { lanes, name } of chosen) {
      const run = (connections: number, end: Pick<Load, "seconds" | "requests">) => (served: Served) =>
        shoot(served, { url: served.url, connections, ...end, lanes: lanes(callers, loads++) }, postmaster)
      yield* Effect.forEach([lastro, ...others], run(16, { requests: warmUp }), { discard: true })
      for (const other of others) {
        for (const connections of options.connections.split(",")) {
          const compared = yield* compare(run(Number(connections), { seconds }), [lastro, other], runs)
          results.push({ name: `${name}, ${connections}${other === peer ? "" : `, ${other.name}`}`, ...compared })
        }
      }
      yield* Console.error(`${name} measured`)
    }
    const memory = [lastro, peer, ...usual].map(({ pid }) => residentMemory(pid))
    const head = ["requests/s", "p50 ms", "p99 ms", "node ms", "PostgreSQL ms", "both ms"]
    // Each cell has a ratio, and in brackets the results of both servers.
    const rows = results.map(({ lastro, name, peer, ratios }) => [
      name,
      ...measures.map((measure) => {
        const [ours, theirs] = [lastro, peer].map((medians) => shown(medians[measure], decimals[measure]))
        return `${shown(ratios[measure], 2)} (${ours} / ${theirs})`
      })
    ])
    const refusals = results.filter(({ refused }) => refused > 0).map(({ name, refused }) => `${name},${refused}`)
    return {
      lines: [
        table(["Lastro ÷ hand-written", ...head], rows),
        `Resident memory after the runs, in MiB: ${memory.map((value) => shown(value)).join(" / ")}.`,
        `503 responses of Lastro: ${refusals.join("; ")}.`
      ],
      results: { answers, memory, results }
    }
  }, Effect.provide(database))
)
