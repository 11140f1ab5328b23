import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { interleave } from "../measure/interleave.ts"
import { measurement } from "../measure/Measurement.ts"
import { randomness } from "../measure/Randomness.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { type Filling, given } from "./given.ts"
import { closure } from "./handWritten.ts"
import { kinds } from "./kinds.ts"
import { row, titles } from "./row.ts"
import { manyScopes, namedScopes } from "./scopes.ts"
import { slowest } from "./slowest.ts"
import { listVariants } from "./variants.ts"

/**
 * The database and the number of rounds. The database is either seeded already (its URL), or generated (the sizes of
 * its data).
 */
export interface ListsOptions extends Filling {
  readonly rounds: number
  readonly database: string
}

/** Number of scopes from which the slowest ones are chosen. */
const candidates = 240

/**
 * Measures pages of users, partners and proposals in scopes of every size. The reference is the read of one user by
 * primary key.
 */
export const lists = Effect.fn("lists")(
  function*({ rounds, ...options }: ListsOptions) {
    const sql = yield* SqlClient.SqlClient
    yield* closure(sql)
    const { partners, proposals, users } = yield* kinds
    const many = yield* manyScopes(sql, candidates)
    const scopes = [
      ...yield* namedScopes(sql),
      ...yield* slowest("slowest found for users", many, users.list),
      ...yield* slowest("slowest found for partners", many, partners.list),
      ...yield* slowest("slowest found for proposals", many.filter((one) => one.proposals > 20), proposals.list)
    ]
    const before = yield* machine
    const variants = yield* listVariants(scopes, options.seed)
    const taken = yield* interleave(variants, rounds, randomness(options.seed, "turns"))
    const after = yield* machine

    const [reference] = taken
    if (reference === undefined) return
    const measured = taken.map(measurement(reference)).map((one, index) => ({ ...one, aim: variants[index]?.aim }))
    yield* Console.log(table(
      ["scope", "partners", "users", "proposals"],
      scopes.map(({ name, partners, proposals, users }) => [name, String(partners), String(users), String(proposals)])
    ))
    yield* Console.log(table(titles, measured.map(row)))
    const file = yield* writeResults(`lists-${scopes[0]?.partners}-${scopes[0]?.users}`, {
      bench: "lists",
      options: { seed: options.seed, rounds },
      machine: after,
      load: { before: before.load, after: after.load },
      scopes: scopes.map(({ scope, ...sizes }) => ({ ...sizes, partner_id: scope.partner_id })),
      measured
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores, ${after.memoryGiB} GiB; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  (run, options) => Effect.provide(run, given(options.database, options))
)
