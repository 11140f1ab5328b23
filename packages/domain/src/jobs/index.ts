export {
  type Job,
  jobAnswered,
  jobInQueue,
  jobKinds,
  jobName,
  type JobOutcome,
  type JobProgress,
  jobsOf,
  jobStarted,
  queueOf,
  queuesOf
} from "./Job.ts"
export { ensureJobPorts, type JobPorts, layerJobPorts, PortReplacedAboveJobs, PortsOfJobs } from "./JobPorts.ts"
export { dueAt, earlyCallbackMs, isRemembered, lenderCallback } from "./lenderCallback.ts"
export { ReportProblem } from "./logUnavailable.ts"
export { startJobMetrics } from "./outcomeMetrics.ts"
export { pollDelayMs } from "./pollContract.ts"
export { recordContract } from "./recordAnswer.ts"
export { alarmingFailures, failureDelayMs, maxAttempts, type QuoteAttempt, quoteDeadlineMs } from "./retry.ts"
export { pollContract, runContract, submitContract } from "./runContract.ts"
export { runJob } from "./runJob.ts"
export { runQuote } from "./runQuote.ts"
export { type JobKey, type StoredJob, StoredJobs } from "./StoredJobs.ts"
