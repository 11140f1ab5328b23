import { type Job } from "@lastro/domain/jobs"
import { Effect } from "effect"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { isMissing, neededJobs } from "../jobs/startMissingJobs.ts"
import { checkAudit } from "./auditInvariants.ts"
import { checkApplications } from "./checkApplications.ts"
import { checkContracts } from "./checkContracts.ts"
import { checkEmails } from "./checkEmails.ts"
import { commissionInvariants } from "./commissionInvariants.ts"
import { type Invariant } from "./Finding.ts"
import { hierarchyInvariants } from "./hierarchyInvariants.ts"
import { queriesOf, runInTurn } from "./snapshots.ts"

/** The invariants across several loan records. `checkApplications` checks those within one application. */
const originationInvariants: ReadonlyArray<Invariant> = [
  [
    "At most one offer of an application is accepted",
    "select application_id::text as example from proposal group by application_id having count(*) > 1"
  ]
]

const missingJobs = (kind: Job["kind"]): string =>
  `select needed.id::text as example from (${neededJobs}) needed where split_part(kind, ':', 1) = '${kind}' and ${isMissing}`

/**
 * The invariants of the job table (rule JOB-02). A job is stored in the same transaction as its quote or contract, so
 * no job may be missing.
 */
const jobInvariants: ReadonlyArray<Invariant> = [
  ["Every pending quote has a job", missingJobs("quote")],
  ["Every pending quote at several lenders has a job for its patience", missingJobs("patience")],
  ["Every contract that is not final has a job", missingJobs("contract")]
]

const hierarchy = queriesOf(hierarchyInvariants)

/** Checks the hierarchy. Returns no findings if every invariant holds. */
export const checkHierarchy = runInTurn(hierarchy).pipe(Effect.withSpan("checkHierarchy"))

/** Checks all stored data. Returns no findings if every invariant holds. */
export const checkInvariants = Effect.gen(function*() {
  const stored = yield* runInTurn([
    ...hierarchy,
    ...queriesOf(originationInvariants),
    ...queriesOf(commissionInvariants),
    checkEmails
  ])
  return [...stored, ...yield* checkApplications, ...yield* checkAudit]
}).pipe(withoutTransforms, Effect.withSpan("checkInvariants"))

/** Checks that every unfinished application has its job. */
export const checkWork = runInTurn(queriesOf(jobInvariants)).pipe(Effect.withSpan("checkWork"))

/**
 * Lists the stored contracts that violated a rule on the day of their acceptance. This is not damaged data, so no
 * repair changes it.
 */
export const checkLawfulness = checkContracts.pipe(withoutTransforms, Effect.withSpan("checkLawfulness"))
