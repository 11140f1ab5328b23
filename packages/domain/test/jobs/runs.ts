import { Effect } from "effect"
import { type Job, jobAnswered, type JobProgress, jobStarted } from "../../src/jobs/Job.ts"
import { runJob } from "../../src/jobs/runJob.ts"

/** Runs a job until it ends or waits, and sleeps before each retry. Returns the last outcome. */
export const runUntilAnswered = Effect.fnUntraced(function*(job: Job, begun: JobProgress = jobStarted) {
  for (let progress = begun;;) {
    const outcome = yield* runJob(job, progress)
    if (outcome._tag !== "RETRY") return outcome
    yield* Effect.sleep(outcome.after_ms)
    progress = outcome.progress
  }
})

/** Runs a job until it ends, and sleeps between its runs. */
export const runToEnd = Effect.fnUntraced(function*(job: Job) {
  for (let progress = jobStarted;; progress = jobAnswered) {
    const outcome = yield* runUntilAnswered(job, progress)
    if (outcome._tag === "DONE") return
    yield* Effect.sleep(outcome.after_ms)
  }
})
