import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { interleave } from "../measure/interleave.ts"
import { type Measurement, measurement } from "../measure/Measurement.ts"
import { randomness } from "../measure/Randomness.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { given } from "./given.ts"
import { recursivePage } from "./handWritten.ts"
import { kinds } from "./kinds.ts"
import { manyScopes, namedScopes } from "./scopes.ts"
import { slowest } from "./slowest.ts"
import { firstPages, reads } from "./variants.ts"

/** Seed and number of rounds. */
export interface GrowthOptions {
  readonly seed: number
  readonly rounds: number
}

/**
 * The sizes of the trees, in partners. Each tree has ten times as many users as partners, and as many applications as
 * partners.
 */
const sizes = [1_000, 10_000, 100_000]

const measured = Effect.fnUntraced(
  function*(_partners: number, { rounds, seed }: GrowthOptions) {
    const sql = yield* SqlClient.SqlClient
    const { users } = yield* kinds
    const named = yield* namedScopes(sql)
    const scopes = [...named, ...yield* slowest("slowest found", yield* manyScopes(sql, 240), users.list)]
    const [root] = scopes
    if (root === undefined) return yield* Effect.die(new Error("There is no partner"))
    const variants = [
      ...yield* reads(root, seed),
      ...firstPages(users, scopes),
      { name: "users, root, recursive CTE", run: recursivePage(sql, root.scope) }
    ]
    const taken = yield* interleave(variants, rounds, randomness(seed, "turns"))
    const [reference] = taken
    return reference === undefined ? [] : taken.map(measurement(reference))
  },
  (run, partners, { seed }) =>
    Effect.provide(run, given("", { partners, users: 10 * partners, applications: partners, seed }), { local: true })
)

const ratio = (all: ReadonlyArray<Measurement>, name: string): string => {
  const one = all.find((measurement) => measurement.name === name)
  return one === undefined ? "–" : `${one.ratio.toFixed(one.ratio < 10 ? 1 : 0)} (${one.p50.toFixed(2)} ms)`
}

/** Measures the first page of users in databases with 10 000, 100 000 and 1 000 000 users. */
export const growth = Effect.fn("growth")(function*(options: GrowthOptions) {
  const all: Array<ReadonlyArray<Measurement>> = []
  for (const partners of sizes) all.push(yield* measured(partners, options))
  const names = all[0]?.map(({ name }) => name) ?? []
  yield* Console.log(table(
    ["× primary key (median)", ...sizes.map((partners) => `${(10 * partners).toLocaleString("en")} users`)],
    names.map((name) => [name, ...all.map((one) => ratio(one, name))])
  ))
  const file = yield* writeResults("growth", { bench: "growth", options, sizes, measured: all })
  yield* Console.log(file)
})
