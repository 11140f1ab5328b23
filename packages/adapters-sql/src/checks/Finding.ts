import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"

/** An invariant that stored data violates, with the number of such records and some examples. */
export interface Finding {
  readonly invariant: string
  readonly count: number
  readonly examples: ReadonlyArray<string>
}

/** Maximum number of examples in a finding. */
export const maxExamples = 5

/**
 * An invariant, and a query that returns a row for each record that violates it. The column `example` contains ids,
 * never personal data.
 */
export type Invariant = readonly [invariant: string, query: string]

/** Reads the stored data and returns the violated invariants. */
export type Check = Effect.Effect<ReadonlyArray<Finding>, SqlError, SqlClient.SqlClient>

/** Runs the query of each invariant. Returns a finding for each invariant that is violated. */
export const runQueries = (invariants: ReadonlyArray<Invariant>): Check =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const findings: Array<Finding> = []
    for (const [invariant, query] of invariants) {
      const [row] = yield* sql.unsafe<{ readonly count: number; readonly examples: ReadonlyArray<string> }>(
        `select count(*)::int as count, (array_agg(example))[1:${maxExamples}] as examples from (${query}) broken`
      ).unprepared
      if (row !== undefined && row.count > 0) findings.push({ invariant, ...row })
    }
    return findings
  })
