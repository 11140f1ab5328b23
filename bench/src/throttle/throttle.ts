import { sandboxCpf } from "@lastro/domain/adapters"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { idOf } from "../../../apps/server/test/running/desk.ts"
import { type Environment } from "../../../apps/server/test/running/lastro.ts"
import { server } from "../database.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { type Cluster, cluster } from "../origination/Cluster.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type ThrottledLender, throttledLender } from "./throttledLender.ts"

/** The number of quotes, and the rate limit of the lender. */
export interface ThrottleOptions {
  readonly quotes: number
  /** Maximum number of calls per second that the lender answers, counted over all nodes. */
  readonly perSecond: number
}

interface Quoted {
  readonly id: string
  readonly outcome: string
  readonly wait: number
}

/**
 * Opens all applications at once, on both nodes in turn, and waits until no quote is pending. Returns the quotes in the
 * order in which the applications were opened.
 */
const quoteAll = Effect.fnUntraced(function*({ nodes, sql }: Cluster, quotes: number) {
  const ids = yield* Effect.forEach(
    Array.from({ length: quotes }).keys(),
    (turn) => {
      const node = nodes[turn % nodes.length]
      return node === undefined
        ? Effect.die(new Error("The cluster has no node"))
        : Effect.map(node.shop.open(sandboxCpf("00", turn)), idOf)
    }
  )
  const pending = sql<{ readonly pending: boolean }>`
    select exists (select from quote where outcome = 'PENDING') as pending`
  while ((yield* pending)[0]?.pending === true) yield* Effect.sleep("100 millis")
  const rows = yield* sql<Quoted>`
    select application.id, quote.outcome, extract(epoch from updated_at - created_at)::float8 as wait
    from application join quote on quote.application_id = application.id where ${sql.in("application.id", ids)}`
  return ids.map((id) => rows.find((row) => row.id === id)).filter((row) => row !== undefined)
})

/** Returns, for each quote, the distance between its position in the order of requests and in the order of answers. */
const displacements = (opened: ReadonlyArray<string>, answered: ReadonlyArray<string>): ReadonlyArray<number> =>
  opened.map((id, place) => Math.abs(answered.indexOf(id) - place))

const runOne = Effect.fnUntraced(function*(
  postgres: string,
  name: string,
  settings: Environment,
  { perSecond, quotes }: ThrottleOptions
) {
  let lender: ThrottledLender | undefined
  const nodes = yield* cluster(postgres, name, ["one", "other"], (recording) =>
    Effect.gen(function*() {
      lender ??= yield* throttledLender(recording.url, perSecond)
      return { ...settings, LASTRO_LENDER_URL: lender.url }
    }))
  const started = performance.now()
  const rows = yield* quoteAll(nodes, quotes)
  const seconds = (performance.now() - started) / 1_000
  const calls = lender?.calls ?? []
  const answered = calls.filter(({ refused }) => !refused)
  const places = ascending(displacements(
    rows.map(({ id }) => id),
    answered.map(({ body }) => String(Object(body)["application_id"]))
  ))
  return {
    name,
    failed: rows.filter(({ outcome }) => outcome !== "COMPLETED").length,
    seconds,
    least: quotes / perSecond,
    answered: answered.length,
    refused: calls.length - answered.length,
    inFlight: lender?.mostInFlight() ?? 0,
    places: { median: quantile(places, 0.5), most: places.at(-1) ?? 0 },
    longestWait: Math.max(...rows.map(({ wait }) => wait)),
    nodes
  }
})

/**
 * Requests many quotes at once on two nodes. The lender answers only a few calls per second and rejects the others with
 * 429. Runs once with this limit in the settings, and once without.
 */
export const throttle = Effect.fn("throttle")(function*(options: ThrottleOptions) {
  const postgres = yield* server
  const runs = [
    yield* runOne(postgres, "limit as a setting", { LASTRO_LENDER_RATE: String(options.perSecond) }, options),
    yield* runOne(postgres, "no setting", {}, options)
  ]
  const [first] = runs
  if (first === undefined) return
  const where = yield* Effect.provideService(machine, SqlClient.SqlClient, first.nodes.sql)
  yield* Console.log(table(
    [
      `${options.quotes} quotes, ${options.perSecond} a second, two nodes`,
      "failed",
      "seconds",
      "least possible",
      "calls answered",
      "calls refused",
      "most in flight",
      "places from the order, median",
      "most"
    ],
    runs.map((run) => [
      run.name,
      String(run.failed),
      run.seconds.toFixed(1),
      run.least.toFixed(1),
      String(run.answered),
      String(run.refused),
      String(run.inFlight),
      String(run.places.median),
      String(run.places.most)
    ])
  ))
  const file = yield* writeResults("throttle", {
    bench: "throttle",
    options,
    machine: where,
    runs: runs.map(({ nodes: _, ...run }) => run)
  })
  yield* Console.log(file)
}, Effect.scoped)
