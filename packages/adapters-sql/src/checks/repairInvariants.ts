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

/** Maximum wait for a lock, in milliseconds. Writes of the nodes wait behind this request. */
const lockTimeoutMs = 500

/**
 * The pause between two attempts to get a lock, and the maximum number of attempts. Writes of the nodes run during the
 * pause.
 */
const lockPoll = { pause: "1 second", attempts: 20 } as const

/** The tables that the repair of the hierarchy and of the counts writes. */
const hierarchyTables = "partner, app_user, application, proposal, subtree_region, subtree_partner, subtree_count, " +
  "subtree_count_delta, application_expiry, application_expiry_fold, application_place_count, application_place_delta"

const isViolated = (invariants: ReadonlyArray<Invariant>) =>
  Effect.map(runInTurn(queriesOf(invariants)), ({ length }) => length > 0)

/**
 * Rebuilds derived data from the facts, and returns what it rebuilt: roots and regions, the hierarchy index, columns
 * for lists and searches, e-mail keys, counts, and missing jobs. Changes one kind of fact: external ids of erased
 * applications (PRIV-14). Run `checkInvariants` afterwards: it reports the data that cannot be rebuilt.
 *
 * Each part is one transaction, so you can interrupt and repeat the repair. Correct data is read without a lock. An
 * application with a wrong column is locked alone. All writes of the nodes stop only while a damaged hierarchy or its
 * counts are repaired. Fails if that lock is not acquired in 20 attempts of half a second.
 */
export const repairInvariants = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const withRetries = <A, R>(repair: Effect.Effect<A, SqlError.SqlError, R>) =>
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
  const withLock = <A, R>(repair: Effect.Effect<A, SqlError.SqlError, R>) =>
    withRetries(Effect.andThen(sql.unsafe(`lock table ${hierarchyTables} in share row exclusive mode`), repair))
  const repairs: Array<Repair> = []
  const add = (repair: Repair) => Effect.sync(() => repairs.push(repair))
  if (yield* isViolated(structureInvariants)) {
    repairs.push(...yield* withLock(Effect.forEach(hierarchySteps(sql), (step) => runStep(sql, step))))
  }
  repairs.push(...yield* repairApplications(sql))
  if (yield* isViolated(countInvariants)) yield* Effect.flatMap(withLock(runStep(sql, recount(sql))), add)
  if (yield* isViolated(placeInvariants)) yield* Effect.flatMap(withLock(runStep(sql, recountPlaces(sql))), add)
  if ((yield* checkAudit).length > 0) yield* Effect.flatMap(withRetries(runStep(sql, repairAudit(sql))), add)
  yield* add({ repair: "Keys of e-mail addresses", count: yield* withRetries(repairEmails) })
  yield* add({
    repair: "Missing jobs",
    count: yield* startMissingJobs((started) => reportProgress(`${started} missing jobs`))
  })
  return repairs.filter(({ count }) => count > 0)
}).pipe(withoutTransforms, Effect.withSpan("repairInvariants"))

/**
 * Deletes the stored counts of audit entries. Nodes then count all entries again in the background. Waits for nodes
 * that are adding entries to the counts, and for a prune.
 */
const repairAudit = (sql: SqlClient.SqlClient): RepairStep => [
  "Counts of audit entries",
  Effect.andThen(
    Effect.andThen(locks(sql).exclusive("counts", "audit fold"), sql`update audit_count_fold set folded_until = 0`),
    counted(sql, "with removed as (delete from audit_count returning 1) select count(*)::int as count from removed")
  )
]
