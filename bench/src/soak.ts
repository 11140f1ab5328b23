import { Console, Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { loadavg } from "node:os"
import { promisify } from "node:util"
import { ask, patiently } from "../../apps/server/test/running/asking.ts"
import { patientClient } from "../../apps/server/test/running/desk.ts"
import { benchmark, dataFlags, shown, table, whole } from "./harness/benchmark.ts"
import { main, nodeOn, seededLastro, signIn } from "./harness/callers.ts"
import { database } from "./harness/database.ts"
import { generateLoad, type LoadResult } from "./harness/load.ts"
import { quote, sell } from "./harness/nodes.ts"
import { descriptorsOf, meterCost, residentMemory, startProgram } from "./harness/processes.ts"
import { percentilesOf } from "./harness/statistics.ts"
import { fitTrend, judgeTrend } from "./harness/trend.ts"
import { lanesOf } from "./server/operations.ts"

/** Seconds of a round. Each round sends requests on new connections, and produces one sample. */
const roundSeconds = 10

/** Milliseconds after which callers sign in again. A token expires after 15 minutes. */
const renewalMs = 600_000

/** Actions per second, in addition to the requests. */
const rates = { quote: 1, sell: 0.2, move: 1 }

/** Number of restarts of the second node, and of prunes, in a run. */
const [restarts, prunes] = [6, 4]

/** Measures that grow with other work on the machine. */
const disturbed: ReadonlySet<string> = new Set(["p50", "p99", "processor"])

/**
 * The measures of the node that runs all the time, and of the database: name, unit, and the growth over the run that
 * counts as a failure, which is a share of the mean, but at least an absolute minimum.
 */
const measures = [
  ["memory", "resident memory of the node, MiB", 0.1, 5],
  ["descriptors", "file descriptors of the node", 0.1, 2],
  ["connections", "connections to the database", 0.1, 2],
  ["bloat", "tables with a constant number of rows, MiB", 0.25, 4],
  ["p50", "median duration of a request, ms", 0.25, 1],
  ["p99", "99th percentile of the duration, ms", 0.5, 10],
  ["processor", "processor time of the node for a request, ms", 0.1, 0.05]
] as const

/** A sample: minutes since the start, the load average of the machine, and the measures. */
type Sample = Readonly<Record<"time" | "load" | typeof measures[number][0], number>>

/** The requests of a round: operations, with the number of connections for each. */
const mixture = [["partner", 5], ["status", 4], ["users", 3], ["users-filtered", 2], ["patch-partner", 2]] as const

const soakFlags = {
  ...dataFlags,
  partners: whole("partners", 2_000, "Number of partners"),
  users: whole("users", 5_000, "Number of users"),
  applications: whole("applications", 2_000, "Number of applications"),
  minutes: whole("minutes", 60, "Duration in minutes")
}

/** Finds, in the tree of a partner, two parents, and up to 20 partners without children below the first one. */
const findMoves = (sql: SqlClient.SqlClient, root: string) =>
  Effect.map(
    Effect.orDie(sql<{ readonly id: string; readonly parent_id: string; readonly other: string }>`
      with present as (select * from partner where root_id = ${root} and status = 'active' and deleted_at is null)
      select leaf.id, leaf.parent_id, other.id as other
      from present leaf
        join lateral (
          select id from present where parent_id = ${root} and id not in (leaf.id, leaf.parent_id) order by id limit 1
        ) other on true
      where leaf.parent_id is not null and not exists (select from partner where parent_id = leaf.id)
      order by leaf.id limit 20`),
    (rows) => rows.map(({ id, other, parent_id }) => ({ id, parents: [other, parent_id] as const }))
  )

/** Runs a node at half of its sustained load for a long time, and reports every measure that grows. */
export const soak = benchmark(
  "soak",
  "Runs half of the sustained load with moves, quotes, loans, restarts and prunes, and reports what grows",
  soakFlags,
  Effect.fnUntraced(function*(options) {
    const { databaseUrl, lastro: { pid, url }, postmaster, root, sql, ...seeded } = yield* seededLastro(options)
    let { callers } = seeded
    const moves = yield* findMoves(sql, root.partner_id)
    const problems: Array<string> = []
    const counts = { requests: 0, refused: 0, quotes: 0, loans: 0, moves: 0, restarts: 0, prunes: 0 }
    const milliseconds = options.minutes * 60_000
    let signedIn = performance.now()
    /** Returns the current token of the first caller. */
    const token = () => callers[0]?.token ?? ""

    const round = (index: number, perSecond?: number): Effect.Effect<LoadResult> =>
      generateLoad({
        url,
        connections: 16,
        seconds: roundSeconds,
        settle: 2_000,
        lanes: mixture.flatMap(([name, count]) => lanesOf(name, callers, index).slice(0, count)),
        ...(perSecond === undefined ? {} : { perSecond })
      })
    // V8 compiles the code during the first requests.
    yield* round(0)
    const sustained = (yield* round(1)).answered / roundSeconds
    yield* Console.error(`sustained: ${shown(sustained)} requests per second, moves of ${moves.length} partners`)

    /** Starts an action at regular intervals until the scope closes. Records a failure and continues. */
    const repeatedly = (name: keyof typeof counts, everyMs: number, action: Effect.Effect<unknown, string>) => {
      const recorded = Effect.timeout(action, "2 minutes").pipe(
        Effect.andThen(Effect.sync(() => void counts[name]++)),
        Effect.catchCause((cause) => Effect.sync(() => void problems.push(`${name}: ${String(cause)}`)))
      )
      return Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(everyMs), Effect.forkChild(recorded))))
    }
    let moved = 0
    const move = Effect.gen(function*() {
      const { id = "", parents = [] } = moves[moved % moves.length] ?? {}
      const parent_uuid = parents[Math.floor(moved++ / moves.length) % 2]
      const request = ask({ url }, `/api/v1/partners/${id}`, {
        method: "PATCH",
        token: token(),
        json: { partner: { parent_uuid } }
      })
      const reply = yield* patiently(request)
      if (reply.status !== 200) return yield* Effect.fail(`${reply.status} ${reply.text}`)
    })
    const prune = Effect.promise(() =>
      promisify(execFile)(process.execPath, [main, "audit", "prune", "--yes", "--before", new Date().toISOString()], {
        env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl, LASTRO_LENDER: "sandbox", LASTRO_ISSUER: url }
      })
    )
    /** Runs a second node that shares the work. It ends by SIGKILL and by a normal stop, in turn. */
    const restart = Effect.scoped(Effect.gen(function*() {
      const node = yield* startProgram(nodeOn(databaseUrl, url))
      yield* Effect.sleep(milliseconds / restarts)
      if (counts.restarts % 2 === 0) process.kill(node.pid, "SIGKILL")
    }))
    const client = () => patientClient({ url }, token())
    yield* repeatedly("quotes", 1_000 / rates.quote, Effect.suspend(() => quote(client())))
    yield* repeatedly("loans", 1_000 / rates.sell, Effect.suspend(() => sell(client())))
    if (moves.length > 0) yield* repeatedly("moves", 1_000 / rates.move, move)
    yield* repeatedly("prunes", milliseconds / (prunes + 1), prune)
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(restart, Effect.sync(() => void counts.restarts++))))

    const samples: Array<Sample> = []
    const began = performance.now()
    for (let index = 2; performance.now() - began < milliseconds; index++) {
      const costOf = meterCost([pid], postmaster)
      const { accepted, answered, others, refused } = yield* round(index, sustained / 2)
      const { node: processor } = costOf(answered)
      const { p50, p99 } = percentilesOf(accepted)
      counts.requests += answered
      counts.refused += refused
      if (others > 0) problems.push(`${others} requests failed`)
      const [stored] = yield* sql<Pick<Sample, "connections" | "bloat">>`
        select (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
          (select sum(pg_total_relation_size(oid))::float8 / 1048576 from pg_class
            where relname in ('partner', 'app_user', 'subtree_count', 'subtree_region', 'subtree_partner')
              and relnamespace = current_schema::regnamespace) as bloat`
      samples.push({
        ...stored!,
        time: (performance.now() - began) / 60_000,
        memory: residentMemory(pid),
        descriptors: descriptorsOf(pid),
        p50,
        p99,
        processor,
        load: loadavg()[0] ?? Number.NaN
      })
      if (performance.now() - signedIn > renewalMs) {
        callers = yield* Effect.forEach(
          callers,
          (caller) => Effect.map(signIn(url, caller.email), (token) => ({ ...caller, token }))
        )
        signedIn = performance.now()
      }
    }
    // Memory and tables first grow to the size that the load needs.
    const settled = samples.filter(({ time }) => time >= options.minutes / 4)
    const trendOf = (measure: keyof Sample) => fitTrend(settled.map((sample) => [sample.time, sample[measure]]))
    const isDisturbed = judgeTrend(trendOf("load"), 0.25, 0.5) !== "steady"
    const trends = measures.map(([measure, unit, share, least]) => {
      const trend = trendOf(measure)
      const judgement = judgeTrend(trend, share, least)
      return {
        unit,
        ...trend,
        judgement: judgement === "grows" && isDisturbed && disturbed.has(measure) ? "unclear" : judgement
      }
    })
    const failures = [
      ...trends.flatMap(({ judgement, unit }) => judgement === "grows" ? [`${unit} grows`] : []),
      ...problems.length > 0 ? [`${problems.length} problems`] : []
    ]
    if (failures.length > 0) process.exitCode = 1
    return {
      lines: [
        table(
          ["measure, from a quarter of the run to its end", "mean", "change", "±", "judgement"],
          trends.map(({ change, error, judgement, mean, unit }) => [
            unit,
            ...[mean, change, error].map((value) => shown(value, 2)),
            judgement
          ])
        ),
        Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(", "),
        ...problems.slice(0, 10),
        ...isDisturbed ? ["The load of the machine varied, so that growing durations are unclear."] : [],
        failures.length > 0 ? `Failed: ${failures.join("; ")}.` : "Passed: nothing grows."
      ],
      results: { sustained, counts, trends, problems, samples }
    }
  }, Effect.provide(database))
)
