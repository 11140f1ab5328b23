import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect } from "effect"
import { idOf } from "../../apps/server/test/running/desk.ts"
import { runToEnd } from "../../apps/server/test/running/lastro.ts"
import { onPostgres } from "../../apps/server/test/running/serving.ts"
import { benchmark, shown, table, whole } from "./harness/benchmark.ts"
import { connect, freshDatabase, server } from "./harness/database.ts"
import { nextCpf, startNode } from "./harness/nodes.ts"
import { meterCost, postmasterOf } from "./harness/processes.ts"
import { inRounds, paced } from "./harness/rounds.ts"
import { median, percentilesOf } from "./harness/statistics.ts"

/**
 * Starts one node per name, all on the same new database. Each has a lender that records only its requests. Waits until
 * every node polls for jobs.
 */
const startCluster = Effect.fnUntraced(function*(postgres: string, name: string, names: ReadonlyArray<string>) {
  const url = yield* freshDatabase(postgres)
  const nodes = yield* Effect.forEach(names, (LASTRO_NODE) =>
    Effect.gen(function*() {
      const lender = yield* recordingLenderServer()
      const settings = { LASTRO_NODE, LASTRO_LENDER: "http", LASTRO_LENDER_URL: lender.url }
      return { lender, ...yield* startNode(url, settings) }
    }))
  const sql = yield* connect(url)
  const workers = sql<{ readonly count: number }>`select count(*)::int as count from node`
  while (((yield* workers)[0]?.count ?? 0) < nodes.length) yield* Effect.sleep("200 millis")
  return { name, url, sql, nodes }
})

type Cluster = Effect.Success<ReturnType<typeof startCluster>>

/**
 * Opens applications over HTTP, on the nodes in turn. Starts one every `every` milliseconds, or at full speed if that
 * is 0. Waits until all have a quote and the job queue is empty. Returns the milliseconds until the last quote was
 * recorded, and those of each application, by the server's clock.
 */
const originate = Effect.fnUntraced(function*({ nodes, sql }: Cluster, applications: number, every: number) {
  const start = performance.now()
  const ids = yield* paced(
    applications,
    every,
    (turn) => Effect.map(nodes[turn % nodes.length]!.desk.open(nextCpf()), idOf)
  )
  const pending = sql`select from quote where outcome = 'PENDING' limit 1`
  while ((yield* pending).length > 0) yield* Effect.sleep("20 millis")
  const took = performance.now() - start
  const working = sql`select from job where owner is not null or run_at <= now() limit 1`
  while ((yield* working).length > 0) yield* Effect.sleep("20 millis")
  const quotes = yield* sql<{ readonly wait: number }>`
    select extract(epoch from updated_at - created_at)::float8 * 1000 as wait
    from application join quote on quote.application_id = application.id
    where outcome = 'COMPLETED' and ${sql.in("application.id", ids)}`
  if (quotes.length !== ids.length) return yield* Effect.die(new Error("An application has no quote"))
  return { took, waits: quotes.map(({ wait }) => wait) }
})

/**
 * Returns the number of quotes that each node requested. Dies if a quote was requested twice or never, or if `lastro
 * check` reports a finding.
 */
const checkCluster = Effect.fnUntraced(function*({ nodes, sql, url }: Cluster) {
  const quotes = yield* sql`select id from quote`
  const calls = nodes.map(({ lender }) => lender.calls.map(({ body }) => String(Object(body)["quote_id"])))
  const all = calls.flat()
  if (new Set(all).size !== all.length || all.length !== quotes.length) {
    return yield* Effect.die(new Error(`${all.length} lender requests for ${quotes.length} quotes`))
  }
  const check = yield* runToEnd(["check"], onPostgres(url))
  return check.ending === 0 ? calls.map(({ length }) => length) : yield* Effect.die(new Error(check.out + check.err))
})

const flags = {
  applications: whole("applications", 300, "Applications per run at full speed"),
  warmUp: whole("warm-up", 500, "Number of applications on each node before the first run"),
  rounds: whole("rounds", 5, "Number of rounds")
}

/** Measures the cost of opening applications on one node, and on two nodes that share a PostgreSQL server. */
export const origination = benchmark(
  "origination",
  "Measures applications from opening to quote, on one node and on two",
  flags,
  Effect.fnUntraced(function*({ applications, rounds, warmUp }) {
    const postgres = yield* server
    const alone = yield* startCluster(postgres, "one node", ["alone"])
    const clusters = [alone, yield* startCluster(postgres, "two nodes", ["one", "other"])]
    const postmaster = yield* postmasterOf(alone.sql)
    const arrivals = [
      { name: "at full speed", count: applications, every: 0 },
      { name: "20 per second", count: Math.ceil(applications / 3), every: 50 }
    ]
    yield* Effect.forEach(clusters, (cluster) => originate(cluster, warmUp * cluster.nodes.length, 0))
    const variants = clusters.flatMap((cluster) => arrivals.map((arrival) => ({ cluster, arrival })))
    const taken = yield* inRounds(variants, rounds, ({ arrival: { count, every }, cluster }) => {
      const costOf = meterCost(cluster.nodes.map(({ running }) => running.pid), postmaster)
      return Effect.map(originate(cluster, count, every), ({ took, waits }) => ({
        perSecond: count * 1_000 / took,
        waits,
        ...costOf(count)
      }))
    })
    const quotes = yield* Effect.forEach(clusters, checkCluster)
    const summaries = taken.map(({ runs, variant: { arrival, cluster } }) => ({
      cluster: cluster.name,
      arrival: arrival.name,
      perSecond: median(runs.map((run) => run.perSecond)),
      ...percentilesOf(runs.flatMap((run) => run.waits)),
      nodes: median(runs.map((run) => run.node)),
      postgres: median(runs.map((run) => run.postgres))
    }))
    const oneNode = (arrival: string): number =>
      summaries.find((summary) => summary.arrival === arrival)?.nodes ?? Number.NaN
    return {
      lines: [
        table(
          ["applications", "per second", "p50 ms", "p99 ms", "processor ms, nodes", "× one node", "PostgreSQL"],
          summaries.map(({ arrival, cluster, nodes, p50, p99, perSecond, postgres }) => [
            `${cluster}, ${arrival}`,
            ...[perSecond, p50, p99].map((value) => shown(value, 1)),
            ...[nodes, nodes / oneNode(arrival), postgres].map((value) => shown(value, 2))
          ])
        ),
        `Each quote was requested once: ${
          clusters.map(({ name }, index) => `${name} ${quotes[index]?.join(" + ")}`).join("; ")
        }. \`lastro check\` reports no findings.`
      ],
      results: { summaries, quotes }
    }
  })
)
