import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { startMissingJobs } from "../jobs/startMissingJobs.ts"
import { auditInvariants } from "./auditInvariants.ts"
import { repairEmails } from "./checkEmails.ts"
import { runQueries } from "./Finding.ts"
import { countInvariants, placeInvariants } from "./hierarchyInvariants.ts"
import { counted, type Repair, type RepairStep, runStep } from "./Repair.ts"
import { repairApplications } from "./repairApplications.ts"
import { hierarchySteps, recount, recountPlaces } from "./repairHierarchy.ts"

/** Maximum wait for the locks, in milliseconds. */
const lockTimeoutMs = 60_000

/**
 * Rebuilds derived data from the facts, in one transaction: the root and region of each record, the hierarchy index,
 * the columns for lists and searches, the keys of e-mail addresses, the counts, and missing jobs. Changes
 * no fact, except external ids that an erasure by an earlier version left (PRIV-14). Returns what was rebuilt. Run
 * `checkInvariants` afterwards: it reports what cannot be rebuilt.
 *
 * Writes of the nodes wait until the transaction ends. Fails if the locks are not available within a minute.
 */
export const repairInvariants = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const repair = Effect.gen(function*() {
    yield* sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${
      String(lockTimeoutMs)
    }, true)`
    yield* sql`
      lock table partner, app_user, application, quote, proposal, subtree_region, subtree_partner, subtree_count,
        subtree_count_delta, application_expiry, application_expiry_fold,
        application_place_count, application_place_delta, audit_count, audit_count_fold in share row exclusive mode`
    const repairs: Array<Repair> = []
    for (const step of hierarchySteps(sql)) repairs.push(yield* runStep(sql, step))
    repairs.push(...yield* repairApplications(sql))
    if ((yield* runQueries(countInvariants)).length > 0) repairs.push(yield* runStep(sql, recount(sql)))
    if ((yield* runQueries(placeInvariants)).length > 0) repairs.push(yield* runStep(sql, recountPlaces(sql)))
    if ((yield* runQueries(auditInvariants)).length > 0) repairs.push(yield* runStep(sql, repairAudit(sql)))
    repairs.push({ repair: "Keys of e-mail addresses", count: yield* repairEmails })
    repairs.push({ repair: "Missing jobs", count: yield* startMissingJobs })
    return repairs.filter(({ count }) => count > 0)
  })
  return yield* sql.withTransaction(repair)
}).pipe(withoutTransforms, Effect.withSpan("repairInvariants"))

/** Removes the stored counts of audit entries. Nodes count all entries again in the background. */
const repairAudit = (sql: SqlClient.SqlClient): RepairStep => [
  "Counts of audit entries",
  Effect.andThen(
    sql`update audit_count_fold set folded_until = 0`,
    counted(sql, "with removed as (delete from audit_count returning 1) select count(*)::int as count from removed")
  )
]
