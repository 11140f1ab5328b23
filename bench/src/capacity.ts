import { Console, Effect } from "effect"
import { patientClient } from "../../apps/server/test/running/desk.ts"
import { benchmark, dataFlags, shown, table, whole } from "./harness/benchmark.ts"
import { type Caller, password, requestToken, seededLastro } from "./harness/callers.ts"
import { database } from "./harness/database.ts"
import { generateLoad } from "./harness/load.ts"
import { quote, sell } from "./harness/nodes.ts"
import { familyTime, processorTime } from "./harness/processes.ts"
import { paced } from "./harness/rounds.ts"
import { lanesOf } from "./server/operations.ts"

/**
 * The units of a cost: processor milliseconds of the node and of PostgreSQL, bytes of WAL and of tables and indexes,
 * and milliseconds for which a database connection is busy.
 */
const units = ["node", "postgres", "wal", "stored", "busy"] as const

/** The cost of actions in each unit. */
type Cost = Readonly<Record<typeof units[number], number>>

const costOf = (valueOf: (unit: keyof Cost) => number) =>
  Object.fromEntries(units.map((unit) => [unit, valueOf(unit)])) as Cost

/** Time until PostgreSQL publishes the statistics of an idle session. */
const publication = "11 seconds"

/** A kind of action whose cost is measured alone, and again in a mixture. */
interface Action {
  readonly name: string
  /** Actions per second in the mixture. */
  readonly rate: number
  /** Performs the action for some seconds, at most `rate` times per second. Returns the number of actions. */
  readonly act: (seconds: number, rate: number) => Effect.Effect<number>
}

/** Starts an action at regular intervals for some seconds. Waits until all have ended. */
const regularly = (action: Effect.Effect<unknown>): Action["act"] => (seconds, rate) => {
  const count = Math.max(1, Math.round(seconds * rate))
  const limited = Effect.orDie(Effect.timeout(action, "2 minutes"))
  return Effect.as(paced(count, 1_000 / rate, () => limited, "unbounded"), count)
}

/** Sends the requests of an operation. Each run changes other values. */
const requests = (url: string, callers: ReadonlyArray<Caller>, name: string): Action["act"] => {
  let run = 0
  return (seconds, perSecond) =>
    Effect.suspend(() => {
      const load = { url, connections: 8, seconds, lanes: lanesOf(name, callers, run++) }
      return generateLoad(Number.isFinite(perSecond) ? { ...load, perSecond } : load)
    }).pipe(Effect.map(({ answered }) => answered))
}

const flags = {
  ...dataFlags,
  applications: whole("applications", 5_000, "Number of applications"),
  seconds: whole("seconds", 20, "Seconds per measurement")
}

/** Measures the cost of each action, predicts the cost of a mixture, and measures the mixture. */
export const capacity = benchmark(
  "capacity",
  "Measures what each action costs, and whether the sum predicts the cost of a mixture",
  flags,
  Effect.fnUntraced(function*(options) {
    const { callers, lastro: { pid, url }, postmaster, root, sql } = yield* seededLastro(options)
    const desk = patientClient({ url }, root.token)
    const send = (name: string) => requests(url, callers, name)
    const requested: ReadonlyArray<Action> = [
      { name: "read by key", rate: 100, act: send("partner") },
      { name: "status of an application", rate: 60, act: send("status") },
      { name: "first page of a list", rate: 30, act: send("users") },
      { name: "list with a filter", rate: 10, act: send("users-filtered") },
      { name: "`PATCH`", rate: 10, act: send("patch-partner") }
    ]
    const signIn = requestToken(url, { grant_type: "password", username: root.email, password })
    const actions: ReadonlyArray<Action> = [
      ...requested,
      { name: "sign-in with a password", rate: 1, act: regularly(signIn) },
      { name: "application with its quote", rate: 4, act: regularly(quote(desk)) },
      { name: "loan, from application to payment", rate: 2, act: regularly(sell(desk)) }
    ]
    const read = Effect.map(
      sql<Omit<Cost, "node" | "postgres">>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
          (select sum(pg_total_relation_size(oid))::float8 from pg_class
            where relkind = 'r' and relnamespace = current_schema::regnamespace) as stored,
          (select active_time + idle_in_transaction_time from pg_stat_database
            where datname = current_database()) as busy`,
      ([row]) => ({ ...row!, node: processorTime(pid), postgres: familyTime(postmaster), at: performance.now() })
    )
    const measured = Effect.fnUntraced(function*<A>(run: Effect.Effect<A>) {
      const before = yield* read
      const result = yield* run
      yield* Effect.sleep(publication)
      const after = yield* read
      return { result, cost: costOf((unit) => after[unit] - before[unit]), seconds: (after.at - before.at) / 1_000 }
    })
    const mix = (seconds: number) =>
      Effect.all(actions.map(({ act, rate }) => act(seconds, rate)), { concurrency: "unbounded" })
    // V8 compiles the code during the first requests.
    yield* Effect.forEach(requested, ({ act }) => act(options.seconds, Number.POSITIVE_INFINITY), { discard: true })
    yield* mix(options.seconds * 2)
    yield* Effect.sleep(publication)
    const idle = yield* measured(Effect.sleep(options.seconds * 1_000))
    const perSecond = costOf((unit) => idle.cost[unit] / idle.seconds)
    const measureAlone = Effect.fnUntraced(function*({ act, name }: Action, seconds: number, rate: number) {
      const { cost, result: count, seconds: all } = yield* measured(act(seconds, rate))
      yield* Console.error(`${name}: measured ${count}`)
      return costOf((unit) => (cost[unit] - perSecond[unit] * all) / count)
    })
    const first = yield* Effect.forEach(actions, (action) => measureAlone(action, options.seconds / 2, action.rate))
    // Under load, requests share wake-ups and executions. So each action alone must keep the node as busy as the
    // mixture does.
    const load = actions.reduce((sum, { rate }, index) => sum + rate * (first[index]?.node ?? 0), 0)
    const alone = yield* Effect.forEach(actions, (action, index) => {
      const rate = Math.min(load / (first[index]?.node ?? 1), action.rate * 20)
      return Effect.map(measureAlone(action, options.seconds, rate), (cost) => ({ ...action, cost }))
    })
    const mixture = yield* measured(mix(options.seconds * 2))
    const predicted = costOf((unit) =>
      perSecond[unit] * mixture.seconds +
      alone.reduce((sum, { cost }, index) => sum + cost[unit] * (mixture.result[index] ?? 0), 0)
    )
    return {
      lines: [
        table(
          ["action", "node, ms", "PostgreSQL, ms", "connection, ms", "WAL, kB", "stored, kB", "per second, mixture"],
          [
            ...alone.map(({ cost, name, rate }) => [name, cost, rate] as const),
            ["one second without actions", perSecond, Number.NaN] as const
          ].map(([name, { busy, node, postgres, stored, wal }, rate]) => [
            name,
            ...[node, postgres, busy].map((value) => shown(value, 2)),
            ...[wal, stored].map((value) => shown(value / 1_000, 1)),
            shown(rate, 1)
          ])
        ),
        table(
          ["mixture", "predicted", "measured", "measured ÷ predicted"],
          units.map((unit) => [
            unit,
            shown(predicted[unit]),
            shown(mixture.cost[unit]),
            shown(mixture.cost[unit] / predicted[unit], 2)
          ])
        )
      ],
      results: { idle: perSecond, alone, mixture: mixture.cost, predicted }
    }
  }, Effect.provide(database))
)
