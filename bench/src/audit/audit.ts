import { type AuditFilters, AuditTrail } from "@lastro/domain/audit"
import { type Timestamp, timestampOf } from "@lastro/domain/values"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Filling, given } from "../lists/given.ts"
import { row, titles } from "../lists/row.ts"
import { type ListedScope, namedScopes } from "../lists/scopes.ts"
import { type AimedVariant, reads } from "../lists/variants.ts"
import { interleave } from "../measure/interleave.ts"
import { measurement } from "../measure/Measurement.ts"
import { randomness } from "../measure/Randomness.ts"
import { machine } from "../report/machine.ts"
import { table } from "../report/table.ts"
import { writeResults } from "../report/writeResults.ts"
import { fillAudit } from "./fillAudit.ts"

/** Sizes of the data or the URL of a prepared database, and the number of rounds. */
export interface AuditOptions extends Filling {
  readonly entries: number
  readonly rounds: number
  readonly database: string
}

/** The target at the root and at a leaf: the maximum duration, as a multiple of a read of one user by primary key. */
const target = 6

/** An audit entry from which the values of the filters are taken. */
interface Example {
  readonly actor: string
  readonly action: string
  readonly subject_id: string
  readonly at: Date
}

const filtersOf = (entry: Example, client: string): Readonly<Record<string, AuditFilters>> => {
  const moved = (days: number): Timestamp => timestampOf(entry.at.getTime() + days * 86_400_000)
  return {
    all: {},
    record: { subject_id: entry.subject_id },
    "actor, a user": { actor: entry.actor },
    "actor, a client": { actor: client },
    action: { action: entry.action },
    "an hour": { from: moved(0), to: moved(1 / 24) },
    "a quarter": { from: moved(-91), to: moved(0) },
    "since a time": { from: moved(0) },
    "action, a month": { action: entry.action, from: moved(-30), to: moved(0) },
    "a client, an hour": { actor: client, from: moved(0), to: moved(1 / 24) },
    "a client, a year": { actor: client, from: moved(-365), to: moved(0) },
    "a client, action": { actor: client, action: entry.action }
  }
}

/**
 * Measures lists of audit entries at the root, at a leaf and in a subtree with about 10 % of the data, compared with a
 * read of one user by primary key.
 */
export const audit = Effect.fn("audit")(
  function*({ database, entries, rounds, seed }: AuditOptions) {
    const sql = yield* SqlClient.SqlClient
    const { list } = yield* AuditTrail
    if (database === "") yield* fillAudit(entries)
    const scopes = (yield* namedScopes(sql)).filter(({ name }) => ["root", "10 %", "leaf"].includes(name))
    const [root] = scopes
    if (root === undefined) return yield* Effect.die(new Error("There is no partner"))
    const firstPages = ({ name, scope }: ListedScope) =>
      Effect.gen(function*() {
        // An entry in the middle of the time, by a user of the scope, and the client with the most entries of a scope.
        const [entry] = yield* sql<Example>`
          select actor, action, subject_id, at from audit
          where partner_id = ${scope.partner_id} and actor ~ '^[0-9a-f]{8}-' order by abs(extract(epoch from now() - interval '1 year' - at))
          limit 1`
        const [client] = yield* sql<{ readonly actor: string }>`
          select actor from audit where partner_id = ${scope.partner_id} and actor !~ '^[0-9a-f]{8}-'
          group by actor order by count(*) desc limit 1`
        if (entry === undefined || client === undefined) return []
        return Object.entries(filtersOf(entry, client.actor)).map(([filter, filters]): AimedVariant => ({
          name: `${filter}, ${name}`,
          run: Effect.orDie(
            list(scope, { filters, page: { number: 0, size: 20 }, sort: [{ property: "at", direction: "desc" }] })
          ),
          ...name === "10 %" ? {} : { aim: target }
        }))
      })
    const deep = (number: number): AimedVariant => ({
      name: `page ${number}, root`,
      run: Effect.orDie(
        list(root.scope, { filters: {}, page: { number, size: 20 }, sort: [{ property: "at", direction: "desc" }] })
      )
    })
    const variants: ReadonlyArray<AimedVariant> = [
      ...yield* reads(root, seed),
      ...(yield* Effect.forEach(scopes, firstPages)).flat(),
      deep(100),
      deep(1_000)
    ]
    const before = yield* machine
    const taken = yield* interleave(variants, rounds, randomness(seed, "turns"))
    const after = yield* machine
    const [reference] = taken
    if (reference === undefined) return
    const measured = taken.map(measurement(reference)).map((one, index) => ({ ...one, aim: variants[index]?.aim }))
    yield* Console.log(table(titles, measured.map(row)))
    const file = yield* writeResults("audit", {
      bench: "audit",
      options: { entries, seed, rounds },
      machine: after,
      load: { before: before.load, after: after.load },
      measured
    })
    yield* Console.log(
      `${after.cpu}, ${after.cores} cores; Node ${after.node}, PostgreSQL ${after.postgres}; ` +
        `load ${before.load.toFixed(1)} before, ${after.load.toFixed(1)} after.\n${file}`
    )
  },
  (run, options) => Effect.provide(run, given(options.database, options))
)
