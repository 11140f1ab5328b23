import { Effect, Option, Result } from "effect"
import { recordAudit } from "../audit/recordAudit.ts"
import { asOperator, judgeFound, NotFound } from "../hierarchy/Scope.ts"
import { type Job, jobInQueue, jobName } from "../jobs/Job.ts"
import { type JobKey, type StoredJob, StoredJobs } from "../jobs/StoredJobs.ts"
import { type Application, latestQuote, recordingTime } from "../loan/Application.ts"
import { type ApplicationStatus, applicationStatus } from "../loan/ApplicationStatus.ts"
import { decide } from "../loan/decide.ts"
import { hasPart } from "../loan/quoteParts.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { DurableWork } from "../origination/DurableWork.ts"
import { saveDecision } from "../origination/saveDecision.ts"
import { startNextJobs } from "../origination/startJobs.ts"
import { endWaits } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type ApplicationId, type PartnerId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { parseId } from "../values/Uuid.ts"

/** A stored job, and the application of its quote or contract. */
export interface JobDetail extends StoredJob {
  /** Null if no application has this quote or proposal. */
  readonly application: {
    readonly application_id: ApplicationId
    readonly partner_id: PartnerId
    readonly status: ApplicationStatus
  } | null
}

/**
 * The name of a job is its queue, a slash and its id: `quote/…`, `contract/…`, `patience/…`, or `quote:CODE/…` and
 * `contract:CODE/…` for the lender with this code. An unknown queue is accepted here.
 * @rule JOB-08
 */
export const parseJobName = (name: string): Result.Result<JobKey, NotFound> => {
  const [, queue = "", text = ""] = /^([a-z][a-z_-]{0,30}(?::[a-z][a-z0-9-]{0,31})?)\/([^/]*)$/.exec(name) ?? []
  return queue === ""
    ? Result.fail(new NotFound())
    : Result.fromOption(Option.map(parseId<string>(text), (id) => ({ kind: queue, id })), () => new NotFound())
}

/** Returns the job of a key. None if this version does not run jobs of this kind. */
const jobOfKey = ({ id, kind }: JobKey): Option.Option<Job> => Option.fromUndefinedOr(jobInQueue(kind, id))

/** Finds the application of the quote or contract of a job. */
export const applicationOfJob = Effect.fnUntraced(function*(job: Job) {
  const applications = yield* ApplicationRepository
  return yield* job.kind === "contract" ? applications.ofProposal(job.id) : applications.ofQuote(job.id)
})

/** Records an action on a job in the audit of its application. */
const auditJob = (
  { application_id, partner_id }: Application,
  job: Job,
  { action, at }: { readonly at: Timestamp; readonly action: string }
) => recordAudit({ at, caller: null, action, subject_id: application_id, partner_id, after: { job: jobName(job) } })

const findStored = Effect.fnUntraced(function*(name: string) {
  const key = yield* Effect.fromResult(parseJobName(name))
  const stored = yield* (yield* StoredJobs).find(key)
  return Option.isSome(stored) ? stored.value : yield* new NotFound()
})

/**
 * Returns up to `limit` stored durable jobs (default: 1000). The job that has been due longest comes first. For the
 * operator only.
 */
export const listJobs = Effect.fn("listJobs")(function*(limit: number = 1_000) {
  return yield* (yield* StoredJobs).list(limit)
})

/** Returns a stored job by its name, with its application. For the operator only. */
export const showJob = Effect.fn("showJob")(function*(name: string) {
  const stored = yield* findStored(name)
  const job = jobOfKey(stored)
  const application = Option.isSome(job) ? yield* applicationOfJob(job.value) : Option.none<Application>()
  const at = yield* currentTimestamp
  const detail: JobDetail = {
    ...stored,
    application: Option.getOrNull(Option.map(application, (known) => ({
      application_id: known.application_id,
      partner_id: known.partner_id,
      status: applicationStatus(known, at)
    })))
  }
  return detail
})

/**
 * Makes a job due at once, and keeps its progress. A running job runs once more after its current run. Stores an audit
 * entry if the job has an application. Returns the job as it was before. Fails with NotFound if this version does not
 * run jobs of this kind. For the operator only.
 */
export const retryJob = Effect.fn("retryJob")(function*(name: string) {
  const stored = yield* findStored(name)
  const job = jobOfKey(stored)
  if (Option.isNone(job)) return yield* new NotFound()
  const { makeDue } = yield* DurableWork
  const retry = Effect.gen(function*() {
    yield* makeDue(job.value)
    const application = yield* applicationOfJob(job.value)
    if (Option.isSome(application)) {
      yield* auditJob(application.value, job.value, { at: yield* currentTimestamp, action: "application.retry_job" })
    }
  })
  yield* (yield* UnitOfWork).atomically(retry)
  return stored
})

/** Decides the cancellation of a job, and saves the decision. Stores an audit entry even if nothing changes. */
const decideJob = Effect.fnUntraced(function*(job: Job, { application_id, partner_id }: Application) {
  const found = yield* (yield* ApplicationRepository).findForUpdate(asOperator.scope(partner_id), application_id)
  const application = yield* Effect.fromResult(judgeFound(found))
  const before = application.record
  const at = recordingTime(before, yield* currentTimestamp)
  const decided = decide({ _tag: "CancelJob", at, job }, before)
  const action = "application.cancel_job"
  const after = yield* saveDecision(application, decided, { at, caller: null, action })
  yield* startNextJobs(after, yield* Effect.fromResult(decided))
  const quote = latestQuote(after)
  // A server requests the next lender, because the command line has no lenders.
  if (quote.outcome === "PENDING" && hasPart(quote, "WAITING")) {
    yield* (yield* DurableWork).startPatience(quote.quote_id)
  }
  if (after === before) yield* auditJob(after, job, { at, action })
  return after
})

/**
 * Cancels a job by its name (JOB-07) and removes it, in one transaction with the audit entry. A job without an
 * application is only removed. Returns the application afterwards, or null. Fails with NotFound if this version does
 * not run jobs of this kind. For the operator only.
 */
export const cancelJob = Effect.fn("cancelJob")(function*(name: string) {
  const cancel = Effect.gen(function*() {
    const stored = yield* findStored(name)
    const job = jobOfKey(stored)
    if (Option.isNone(job)) return yield* new NotFound()
    const application = yield* applicationOfJob(job.value)
    const after = Option.isSome(application) ? yield* decideJob(job.value, application.value) : null
    yield* (yield* StoredJobs).end(stored)
    return after
  })
  const after = yield* (yield* UnitOfWork).atomically(cancel)
  if (after !== null) yield* endWaits([after.application_id])
  return after
})
