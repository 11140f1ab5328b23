import { PgClient } from "@effect/sql-pg"
import { sandboxCpf } from "@lastro/domain/adapters"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { signIn, tokenOf } from "../../apps/server/test/running/asking.ts"
import { applicationClient, idOf } from "../../apps/server/test/running/desk.ts"
import { runToEnd } from "../../apps/server/test/running/lastro.ts"
import { onPostgres, startServer } from "../../apps/server/test/running/serving.ts"
import { benchmark, shown, table, whole } from "./harness/benchmark.ts"
import { freshDatabase, server } from "./harness/database.ts"
import { familyTime, metered, postmasterOf, processorTime } from "./harness/processes.ts"
import { ascending, median, quantile } from "./harness/statistics.ts"

/** Starts a server, and a lender that records only this server's requests. */
const startNode = Effect.fnUntraced(function*(database: string, name: string) {
  const lender = yield* recordingLenderServer()
  const server = yield* startServer({
    ...onPostgres(database),
    LASTRO_NODE: name,
    LASTRO_LENDER: "http",
    LASTRO_LENDER_URL: lender.url
  })
  return { pid: server.pid, lender, client: applicationClient(server, tokenOf(yield* signIn(server))) }
})

/** Starts one server per name, all on the same new database. Waits until every server polls for jobs. */
const startCluster = Effect.fnUntraced(function*(postgres: string, name: string, names: ReadonlyArray<string>) {
  const url = yield* freshDatabase(postgres)
  const nodes = yield* Effect.forEach(names, (one) => startNode(url, one))
  const sql = yield* Effect.provide(PgClient.make({ url: Redacted.make(url), maxConnections: 2 }), Reactivity.layer)
  const workers = sql<{ readonly count: number }>`select count(*)::int as count from node`
  while (((yield* workers)[0]?.count ?? 0) < nodes.length) yield* Effect.sleep("200 millis")
  return { name, url, sql, nodes }
})

type Cluster = Effect.Success<ReturnType<typeof startCluster>>

let customers = 0

/**
 * Opens applications over HTTP, on the nodes in turn, at most 16 at a time. Starts one every `every` milliseconds, or
 * at full speed if that is 0. Waits until all have a quote and the job queue is empty. Returns the milliseconds until
 * the last quote was recorded, and those of each application, by the server's clock.
 */
const originate = Effect.fnUntraced(function*({ nodes, sql }: Cluster, applications: number, every: number) {
  const start = performance.now()
  const open = (turn: number) =>
    Effect.gen(function*() {
      yield* Effect.sleep(Math.max(0, start + turn * every - performance.now()))
      const node = nodes[turn % nodes.length]
      if (node === undefined) return yield* Effect.die(new Error("The cluster has no node"))
      return idOf(yield* node.client.open(sandboxCpf("00", customers++)))
    })
  const ids = yield* Effect.forEach(Array.from({ length: applications }).keys(), open, { concurrency: 16 })
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

const timeOf = ({ nodes }: Cluster): number => nodes.reduce((sum, { pid }) => sum + processorTime(pid), 0)

/** Measures one run. Processor times are in milliseconds per application. */
const measure = Effect.fnUntraced(function*(cluster: Cluster, postmaster: number, applications: number, every: number) {
  const [nodesTime, postgresTime] = [metered(() => timeOf(cluster)), metered(() => familyTime(postmaster))]
  const { took, waits } = yield* originate(cluster, applications, every)
  const perSecond = applications * 1_000 / took
  return { perSecond, waits, nodes: nodesTime() / applications, postgres: postgresTime() / applications }
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
    yield* Effect.forEach(clusters, (one) => originate(one, warmUp * one.nodes.length, 0))
    const taken = clusters.flatMap((cluster) =>
      arrivals.map((arrival) => ({ cluster, arrival, runs: [] as Array<Effect.Success<ReturnType<typeof measure>>> }))
    )
    for (let round = 0; round < rounds; round++) {
      const turns = round % 2 === 0 ? taken : taken.toReversed()
      for (const { arrival: { count, every }, cluster, runs } of turns) {
        runs.push(yield* measure(cluster, postmaster, count, every))
      }
    }
    const quotes = yield* Effect.forEach(clusters, checkCluster)
    const summaries = taken.map(({ arrival, cluster, runs }) => {
      const waits = ascending(runs.flatMap((run) => run.waits))
      return {
        cluster: cluster.name,
        arrival: arrival.name,
        perSecond: median(runs.map((run) => run.perSecond)),
        p50: quantile(waits, 0.5),
        p99: quantile(waits, 0.99),
        nodes: median(runs.map((run) => run.nodes)),
        postgres: median(runs.map((run) => run.postgres))
      }
    })
    const oneNode = (arrival: string): number => summaries.find((one) => one.arrival === arrival)?.nodes ?? Number.NaN
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
