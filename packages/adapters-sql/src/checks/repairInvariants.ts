import { Effect, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { sqlStateOf } from "../database/client/sqlErrors.ts"
import { locks } from "../database/locks.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { startMissingJobs } from "../jobs/startMissingJobs.ts"
import { checkAudit } from "./auditInvariants.ts"
import { repairEmails } from "./checkEmails.ts"
import { type Invariant } from "./Finding.ts"
import { countInvariants, placeInvariants, structureInvariants } from "./hierarchyInvariants.ts"
import { counted, type Repair, type RepairStep, runStep } from "./Repair.ts"
import { repairApplications } from "./repairApplications.ts"
import { hierarchySteps, recount, recountPlaces } from "./repairHierarchy.ts"
import { queriesOf, reportProgress, runInTurn } from "./snapshots.ts"

/** Maximum wait for a lock, in milliseconds. Later writes queue behind the waiting request. */
const lockTimeoutMs = 500

/** Pause between two attempts to get a lock, in which the waiting writes run, and the maximum number of attempts. */
const lockPoll = { pause: "1 second", attempts: 20 } as const

/** The tables that the steps of the hierarchy and of the counts write. */
const hierarchyTables = "partner, app_user, application, proposal, subtree_region, subtree_partner, subtree_count, " +
  "subtree_count_delta, application_expiry, application_expiry_fold, application_place_count, application_place_delta"

const isViolated = (invariants: ReadonlyArray<Invariant>) =>
  Effect.map(runInTurn(queriesOf(invariants)), ({ length }) => length > 0)

/**
 * Rebuilds derived data from the facts: the root and region of each record, the hierarchy index, the columns for lists
 * and searches, the keys of e-mail addresses, the counts, and missing jobs. Changes no fact, except external ids that
 * an erasure by an earlier version left (PRIV-14). Returns what was rebuilt. Run `checkInvariants` afterwards: it
 * reports what cannot be rebuilt.
 *
 * Each part is a transaction of its own, so the repair can be interrupted and repeated. Correct data is only read,
 * without a lock. An application with stale columns is locked alone. Only the repair of a damaged hierarchy or of its
 * counts stops all writes of the nodes. Fails if that lock is not available in 20 attempts of half a second.
 */
export const repairInvariants = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const configured = <A, R>(repair: Effect.Effect<A, SqlError.SqlError, R>) =>
    Effect.retry(
      sql.withTransaction(Effect.andThen(
        sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${
          String(lockTimeoutMs)
        }, true)`,
        repair
      )),
      {
        while: (error) => sqlStateOf(error) === "55P03",
        times: lockPoll.attempts - 1,
        schedule: Schedule.spaced(lockPoll.pause)
      }
    )
  const locked = <A, R>(repair: Effect.Effect<A, SqlError.SqlError, R>) =>
    configured(Effect.andThen(sql.unsafe(`lock table ${hierarchyTables} in share row exclusive mode`), repair))
  const repairs: Array<Repair> = []
  const add = (repair: Repair) => Effect.sync(() => repairs.push(repair))
  if (yield* isViolated(structureInvariants)) {
    repairs.push(...yield* locked(Effect.forEach(hierarchySteps(sql), (step) => runStep(sql, step))))
  }
  repairs.push(...yield* repairApplications(sql))
  if (yield* isViolated(countInvariants)) yield* Effect.flatMap(locked(runStep(sql, recount(sql))), add)
  if (yield* isViolated(placeInvariants)) yield* Effect.flatMap(locked(runStep(sql, recountPlaces(sql))), add)
  if ((yield* checkAudit).length > 0) yield* Effect.flatMap(configured(runStep(sql, repairAudit(sql))), add)
  yield* add({ repair: "Keys of e-mail addresses", count: yield* configured(repairEmails) })
  yield* add({
    repair: "Missing jobs",
    count: yield* startMissingJobs((started) => reportProgress(`${started} missing jobs`))
  })
  return repairs.filter(({ count }) => count > 0)
}).pipe(withoutTransforms, Effect.withSpan("repairInvariants"))

/**
 * Removes the stored counts of audit entries. Nodes count all entries again in the background. Waits until no node adds
 * entries to the counts and no prune runs.
 */
const repairAudit = (sql: SqlClient.SqlClient): RepairStep => [
  "Counts of audit entries",
  Effect.andThen(
    Effect.andThen(locks(sql).exclusive("counts", "audit fold"), sql`update audit_count_fold set folded_until = 0`),
    counted(sql, "with removed as (delete from audit_count returning 1) select count(*)::int as count from removed")
  )
]
