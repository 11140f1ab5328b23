import { checkHierarchy } from "@lastro/adapters-sql"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { database } from "../database.ts"
import { interleave } from "../measure/interleave.ts"
import { type Measurement, measurement } from "../measure/Measurement.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { randomness } from "../seed/Randomness.ts"
import { seed as fill } from "../seed/seed.ts"
import { manyScopes, namedScopes } from "./scopes.ts"
import { slowest } from "./slowest.ts"
import { lists as listed, listVariants } from "./variants.ts"

/** How much is listed, and how often. */
export interface ListsOptions {
  readonly partners: number
  readonly users: number
  readonly seed: number
  readonly rounds: number
}

/** Scopes among which the slowest is looked for. */
const candidates = 120

const row = ({ name, p50, p99, ratio, ratioHigh, ratioLow, samples }: Measurement): ReadonlyArray<string> => [
  name,
  p50.toFixed(2),
  p99.toFixed(2),
  ratio.toFixed(ratio < 10 ? 2 : 0),
  `${ratioLow.toFixed(1)}–${ratioHigh.toFixed(1)}`,
  String(samples)
]

/** Times pages of users and partners at scopes of every size against the read of one user by its primary key. */
export const lists = Effect.fn("lists")(
  function*({ partners, rounds, seed, users }: ListsOptions) {
    const sql = yield* SqlClient.SqlClient
    const start = performance.now()
    yield* fill({ partners, users, seed, passwordHash: "nobody knows" })
    const filled = performance.now() - start
    const findings = yield* checkHierarchy
    if (findings.length > 0) return yield* Effect.die(new Error(`The seed is wrong: ${JSON.stringify(findings)}`))
    yield* Console.log(`${partners} partners and ${users} users in ${(filled / 1_000).toFixed(1)} s; checked.`)

    const ports = yield* listed
    const many = yield* manyScopes(sql, candidates)
    const worst = {
      users: yield* slowest(many, ports.users),
      partners: yield* slowest(many, ports.partners)
    }
    const scopes = [
      ...yield* namedScopes(sql),
      ...(worst.users === undefined ? [] : [{ ...worst.users, name: "slowest found for users" }]),
      ...(worst.partners === undefined ? [] : [{ ...worst.partners, name: "slowest found for partners" }])
    ]
    const before = yield* machine
    const taken = yield* interleave(yield* listVariants(scopes, seed), rounds, randomness(seed, "turns"))
    const after = yield* machine

    const [reference] = taken
    if (reference === undefined) return
    const measured = taken.map(measurement(reference))
    yield* Console.log(table(
      ["scope", "partners", "users"],
      scopes.map((scope) => [scope.name, String(scope.partners), String(scope.users)])
    ))
    yield* Console.log(table(
      ["read", "p50 ms", "p99 ms", "× primary key", "by round, 10–90 %", "samples"],
      measured.map(row)
    ))
    const results = {
      bench: "lists",
      options: { partners, users, seed, rounds },
      machine: after,
      load: { before: before.load, after: after.load },
      seededMilliseconds: filled,
      scopes: scopes.map(({ name, partners, scope, users }) => ({
        name,
        partner_id: scope.partner_id,
        partners,
        users
      })),
      measured
    }
    const file = yield* writeResults(`lists-${partners}-${users}`, results)
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores, ${after.memoryGiB} GiB; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  (run) => Effect.provide(run, database)
)
