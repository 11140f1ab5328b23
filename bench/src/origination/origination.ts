import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runToEnd } from "../../../apps/server/test/running/lastro.ts"
import { onPostgres } from "../../../apps/server/test/running/serving.ts"
import { server } from "../database.ts"
import { postmasterOf } from "../measure/postmasterOf.ts"
import { familyTime, metered, processorTime } from "../measure/processorTime.ts"
import { ascending, median, quantile } from "../measure/quantile.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type Cluster, cluster } from "./Cluster.ts"
import { type Arrival, originate } from "./originate.ts"

/** Number of warm-up applications on each node. */
const warmingUp = 500

/** Number of applications and rounds. */
export interface OriginationOptions {
  /** Number of applications per run at full speed. */
  readonly applications: number
  readonly rounds: number
}

/** A run on one cluster, and its processor time. */
interface Run {
  readonly perSecond: number
  readonly waits: ReadonlyArray<number>
  /** Processor time per application in milliseconds, summed over all nodes. NaN if unavailable. */
  readonly nodes: number
  readonly postgres: number
}

/** Returns the processor time of all nodes in milliseconds. */
const timeOf = ({ nodes }: Cluster): number =>
  nodes.reduce((sum, { pid }) => sum + (processorTime(pid) ?? Number.NaN), 0)

const measured = Effect.fnUntraced(function*(one: Cluster, postmaster: number | undefined, arrival: Arrival) {
  const nodesTime = metered(() => timeOf(one))
  const postgresTime = metered(() => familyTime(postmaster))
  const { took, waits } = yield* originate(one, arrival)
  const each = (used: number | undefined) => (used ?? Number.NaN) / arrival.applications
  return {
    perSecond: arrival.applications * 1_000 / took,
    waits,
    nodes: each(nodesTime()),
    postgres: each(postgresTime())
  } satisfies Run
})

/** Runs the same number of applications on every node, so that V8 compiles the code in each process. */
const warmUp = (one: Cluster) =>
  originate(one, { name: "warm-up", applications: warmingUp * one.nodes.length, atOnce: 16, every: 0 })

/** Returns the processor time of an idle cluster per second, in milliseconds. */
const idle = Effect.fnUntraced(function*(one: Cluster) {
  const before = timeOf(one)
  yield* Effect.sleep("5 seconds")
  return (timeOf(one) - before) / 5
})

/** Returns the number of quotes that each node requested. Dies if a quote was requested twice or never. */
const asked = Effect.fnUntraced(function*({ nodes, sql }: Cluster) {
  const quotes = yield* sql<{ readonly id: string }>`select id from quote`
  const byNode = nodes.map(({ lender }) => lender.calls.map(({ body }) => String(Object(body)["quote_id"])))
  const calls = byNode.flat()
  const distinct = new Set(calls)
  if (distinct.size !== calls.length || distinct.size !== quotes.length) {
    return yield* Effect.die(new Error(`${calls.length} lender requests for ${quotes.length} quotes`))
  }
  return byNode.map((ids) => ids.length)
})

const checked = Effect.fnUntraced(function*({ url }: Cluster) {
  const check = yield* runToEnd(["check"], onPostgres(url))
  if (check.ending !== 0) return yield* Effect.die(new Error(check.out + check.err))
})

const summary = (cluster: string, arrival: string, runs: ReadonlyArray<Run>) => {
  const waits = ascending(runs.flatMap((run) => run.waits))
  return {
    cluster,
    arrival,
    perSecond: median(runs.map((run) => run.perSecond)),
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
    nodes: median(runs.map((run) => run.nodes)),
    postgres: median(runs.map((run) => run.postgres)),
    runs: runs.map(({ nodes, perSecond, postgres }) => ({ perSecond, nodes, postgres }))
  }
}

/**
 * Measures the cost of opening applications on one node, and on two nodes that share one PostgreSQL server. The two
 * setups take turns.
 */
export const origination = Effect.fn("origination")(function*({ applications, rounds }: OriginationOptions) {
  const postgres = yield* server
  const clusters = [
    yield* cluster(postgres, "one node", ["alone"]),
    yield* cluster(postgres, "two nodes", ["one", "other"])
  ]
  const [alone] = clusters
  if (alone === undefined) return
  const postmaster = yield* postmasterOf(alone.sql)
  const arrivals: ReadonlyArray<Arrival> = [
    { name: "at full speed", applications, atOnce: 16, every: 0 },
    { name: "20 per second", applications: Math.ceil(applications / 3), atOnce: 16, every: 50 }
  ]
  const where = Effect.provideService(machine, SqlClient.SqlClient, alone.sql)
  const before = yield* where
  yield* Effect.forEach(clusters, warmUp, { discard: true })
  const resting = yield* Effect.forEach(clusters, idle)
  const taken = clusters.flatMap((one) => arrivals.map((arrival) => ({ one, arrival, runs: [] as Array<Run> })))
  for (let round = 0; round < rounds; round++) {
    const turns = round % 2 === 0 ? taken : taken.toReversed()
    for (const { arrival, one, runs } of turns) runs.push(yield* measured(one, postmaster, arrival))
  }
  const after = yield* where
  const summaries = taken.map(({ arrival, one, runs }) => summary(one.name, arrival.name, runs))
  const shares = yield* Effect.forEach(clusters, asked)
  yield* Effect.forEach(clusters, checked, { discard: true })

  yield* Console.log(table(
    [
      "applications",
      "per second",
      "p50 ms",
      "p99 ms",
      "processor ms per application, nodes",
      "× one node",
      "processor ms per application, PostgreSQL"
    ],
    summaries.map((each) => {
      const one = summaries.find(({ arrival }) => arrival === each.arrival)
      return [
        `${each.cluster}, ${each.arrival}`,
        each.perSecond.toFixed(1),
        each.p50.toFixed(1),
        each.p99.toFixed(1),
        each.nodes.toFixed(2),
        (each.nodes / (one?.nodes ?? Number.NaN)).toFixed(2),
        each.postgres.toFixed(2)
      ]
    })
  ))
  yield* Console.log(table(
    ["cluster", "quotes of each node", "idle processor ms per second"],
    clusters.map(({ name }, index) => [
      name,
      (shares[index] ?? []).join(" + "),
      (resting[index] ?? Number.NaN).toFixed(1)
    ])
  ))
  const file = yield* writeResults("origination", {
    bench: "origination",
    options: { applications, rounds },
    machine: after,
    load: { before: before.load, after: after.load },
    summaries,
    clusters: clusters.map(({ name }, index) => ({
      name,
      quotes: shares[index],
      idleMillisecondsPerSecond: resting[index]
    }))
  })
  yield* Console.log(
    "Each quote was requested once, and `lastro check` reports no findings. " +
      `${after.cpu}, ${after.cores} cores; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
      `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
  )
}, Effect.scoped)
