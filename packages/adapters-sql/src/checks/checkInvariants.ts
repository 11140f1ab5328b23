import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { checkApplications } from "./checkApplications.ts"
import { type Finding, type Invariant, shown } from "./Finding.ts"
import { hierarchyInvariants } from "./hierarchyInvariants.ts"
import { originationInvariants } from "./originationInvariants.ts"
import { workInvariants } from "./workInvariants.ts"

export { type Finding } from "./Finding.ts"

type Check = Effect.Effect<ReadonlyArray<Finding>, SqlError, SqlClient.SqlClient>

const checkQueries = (invariants: ReadonlyArray<Invariant>): Check =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const findings: Array<Finding> = []
    for (const [invariant, query] of invariants) {
      const [found] = yield* sql.unsafe<{ readonly count: number; readonly examples: ReadonlyArray<string> }>(
        `select count(*)::int as count, (array_agg(example))[1:${shown}] as examples from (${query}) broken`
      ).unprepared
      if (found !== undefined && found.count > 0) findings.push({ invariant, ...found })
    }
    return findings
  })

/** Runs checks one after the other in one snapshot, however long it takes. */
const inOneSnapshot = (...checks: ReadonlyArray<Check>): Check =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.andThen(
      sql`select set_config('statement_timeout', '0', true)`,
      Effect.map(Effect.all(checks), (findings) => findings.flat())
    ))).pipe(
      Effect.provideService(SqlClient.BeginTransaction, "begin isolation level repeatable read read only")
    )

const hierarchy = checkQueries(hierarchyInvariants)
const origination: ReadonlyArray<Check> = [checkQueries(originationInvariants), checkApplications]

/** Verifies the invariants of the hierarchy in one snapshot; no finding means that all of them hold. */
export const checkHierarchy = inOneSnapshot(hierarchy).pipe(Effect.withSpan("checkHierarchy"))

/** Verifies every invariant of the stored data in one snapshot; no finding means that all of them hold. */
export const checkInvariants = inOneSnapshot(hierarchy, ...origination).pipe(Effect.withSpan("checkInvariants"))

/** Verifies in one snapshot that everything that has to be done is being done by the engine of `WorkRunner`. */
export const checkWork = inOneSnapshot(checkQueries(workInvariants)).pipe(Effect.withSpan("checkWork"))
