import { type Job } from "@lastro/domain/jobs"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { isMissing, neededJobs } from "../jobs/startMissingJobs.ts"
import { auditInvariants } from "./auditInvariants.ts"
import { checkApplications } from "./checkApplications.ts"
import { checkContracts } from "./checkContracts.ts"
import { checkEmails } from "./checkEmails.ts"
import { type Check, type Invariant, runQueries } from "./Finding.ts"
import { hierarchyInvariants } from "./hierarchyInvariants.ts"

/** The invariants between different loan records. `checkApplications` verifies those within one application. */
const originationInvariants: ReadonlyArray<Invariant> = [
  [
    "At most one offer of an application is accepted",
    "select application_id::text as example from proposal group by application_id having count(*) > 1"
  ],
  [
    "Every application and proposal has the root_id of its partner",
    `select item.id::text as example
      from (select id, partner_id, root_id from application union all select id, partner_id, root_id from proposal) item
      join partner on partner.id = item.partner_id where item.root_id <> partner.root_id`
  ]
]

const missingJobs = (kind: Job["kind"]): string =>
  `select needed.id::text as example from (${neededJobs}) needed where split_part(kind, ':', 1) = '${kind}' and ${isMissing}`

/**
 * The invariants of the job table (rule JOB-02). A job is started in the same transaction as the quote or contract that
 * needs it, so no job may be missing.
 */
const jobInvariants: ReadonlyArray<Invariant> = [
  ["Every pending quote has a job", missingJobs("quote")],
  ["Every pending quote at several lenders has a job for its patience", missingJobs("patience")],
  ["Every contract that is not final has a job", missingJobs("contract")]
]

/** Runs a check in a read-only snapshot without a statement timeout. */
const runInSnapshot = (check: Check): Check =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql.withTransaction(Effect.andThen(sql`select set_config('statement_timeout', '0', true)`, check))
  ).pipe(
    Effect.provideService(SqlClient.BeginTransaction, "begin isolation level repeatable read read only"),
    withoutTransforms
  )

/**
 * Runs checks in sequence, each in a snapshot of its own: a long snapshot would keep old rows in PostgreSQL, and the
 * embedded database runs one transaction at a time.
 */
const runInTurn = (checks: ReadonlyArray<Check>): Check =>
  Effect.map(Effect.forEach(checks, runInSnapshot), (findings) => findings.flat())

const queries = (invariants: ReadonlyArray<Invariant>): ReadonlyArray<Check> =>
  invariants.map((invariant) => runQueries([invariant]))

const hierarchy = queries(hierarchyInvariants)

/** Verifies the invariants of the hierarchy. Returns no findings if every invariant holds. */
export const checkHierarchy = runInTurn(hierarchy).pipe(Effect.withSpan("checkHierarchy"))

/** Verifies every invariant of the stored data. Returns no findings if every invariant holds. */
export const checkInvariants = runInTurn([
  ...hierarchy,
  ...queries(originationInvariants),
  ...queries(auditInvariants),
  checkApplications,
  checkEmails
]).pipe(Effect.withSpan("checkInvariants"))

/** Verifies that every unfinished application has its job. */
export const checkWork = runInTurn(queries(jobInvariants)).pipe(Effect.withSpan("checkWork"))

/**
 * Lists in one snapshot the stored contracts that broke a rule on the day of their acceptance. They are no damage: nothing
 * can repair them.
 */
export const checkLawfulness = runInSnapshot(checkContracts).pipe(Effect.withSpan("checkLawfulness"))
