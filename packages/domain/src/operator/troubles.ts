import { Effect, Option } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Job, jobInQueue } from "../jobs/Job.ts"
import { type StoredJob, StoredJobs } from "../jobs/StoredJobs.ts"
import { lenderOfRecord, type LenderRegistry, lenderRegistry } from "../lender/Lenders.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { applicationOfJob } from "./jobs.ts"

/** A failing durable job. */
interface FailingJob {
  readonly kind: Job["kind"]
  /** The label of the lender. Null if the job calls no lender. */
  readonly lender: string | null
  /** Null if no application has this quote or proposal. */
  readonly application_id: ApplicationId | null
  readonly created_at: Timestamp
  /** The time of the next run. */
  readonly due_at: Timestamp
}

/** A lender that does not answer. */
interface UnavailableLender {
  /** The label of the lender, for people. */
  readonly label: string
  /** Number of failing jobs of this lender. */
  readonly jobs: number
}

/** The failing jobs and the unavailable lenders of a tree. */
export interface Troubles {
  /** The oldest failing jobs. */
  readonly jobs: ReadonlyArray<FailingJob>
  /** Number of failing jobs, at most {@link maxFailing}. */
  readonly failing: number
  readonly lenders: ReadonlyArray<UnavailableLender>
}

/** Maximum number of failing jobs in one read. */
const maxFailing = 1_000

/** Number of failing jobs that are returned. */
const shown = 5

/**
 * A job counts as failing if its last run failed or got no answer, and it is at least one minute old. Younger jobs
 * often succeed at the next attempt.
 * @rule JOB-11
 */
export const isFailing = ({ created_at, last_error }: StoredJob, at: Timestamp): boolean =>
  last_error !== null && millisOf(at) - millisOf(created_at) >= 60_000

/** A failing job that this version can run, with its stored form. */
interface Failing {
  readonly job: Job
  readonly stored: StoredJob
}

/** Returns the code of the lender of a job. Null for the only lender, and for a job that calls no lender. */
const codeOf = (job: Job): string | null => job.kind === "patience" ? null : job.lender ?? null

/**
 * A lender counts as unavailable to a tree while at least five of the tree's jobs for it fail. If the lender left the
 * installation, one failing job is enough. The circuit breaker also opens after five jobs by default (LENDER-24).
 * @rule LENDER-29
 */
export const unavailableLenders = (
  registry: LenderRegistry,
  failing: ReadonlyArray<Job>
): ReadonlyArray<UnavailableLender> => {
  const counts = new Map<string | null, number>()
  for (const job of failing) {
    if (job.kind !== "patience") counts.set(codeOf(job), (counts.get(codeOf(job)) ?? 0) + 1)
  }
  return Array.from(counts).flatMap(([code, jobs]) => {
    const lender = lenderOfRecord(registry, code)
    return jobs >= 5 || lender === undefined ? [{ label: lender?.label ?? code ?? "", jobs }] : []
  })
}

const describeJob = Effect.fnUntraced(function*(registry: LenderRegistry, { job, stored }: Failing) {
  const application = yield* applicationOfJob(job)
  const lender = job.kind === "patience" ? null : lenderOfRecord(registry, codeOf(job))?.label ?? codeOf(job)
  const failing: FailingJob = {
    kind: job.kind,
    lender,
    application_id: Option.getOrNull(Option.map(application, ({ application_id }) => application_id)),
    created_at: stored.created_at,
    due_at: stored.due_at
  }
  return failing
})

/** Returns the failing jobs and the unavailable lenders of the caller's tree. */
export const readTroubles = Effect.fn("readTroubles")(function*({ caller }: Allowed<"troubles:read">) {
  const failed = yield* (yield* StoredJobs).listFailed(caller.root_id, maxFailing)
  const at = yield* currentTimestamp
  const failing = failed.flatMap((stored): ReadonlyArray<Failing> => {
    const job = jobInQueue(stored.kind, stored.id)
    return job !== undefined && isFailing(stored, at) ? [{ job, stored }] : []
  })
  const registry = yield* lenderRegistry
  const troubles: Troubles = {
    jobs: yield* Effect.forEach(failing.slice(0, shown), (job) => describeJob(registry, job)),
    failing: failing.length,
    lenders: unavailableLenders(registry, failing.map(({ job }) => job))
  }
  return troubles
})
