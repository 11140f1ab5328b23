export { lenderCallDeadlineMs } from "./lender/callInTurn.ts"
export { acceptOffer } from "./origination/AcceptOffer.ts"
export {
  type ApplicationFilters,
  type ApplicationQuery,
  type ApplicationSortField,
  applicationSortFields
} from "./origination/ApplicationQuery.ts"
export { ApplicationRepository } from "./origination/ApplicationRepository.ts"
export {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  CreateFgtsApplicationRequest,
  externalIdBounds,
  RequoteFgtsApplicationRequest,
  UpdateFgtsApplicationRequest
} from "./origination/ApplicationRequests.ts"
export { cancelApplication } from "./origination/CancelApplication.ts"
export { createApplication } from "./origination/CreateApplication.ts"
export { DurableWork, type JobTarget } from "./origination/DurableWork.ts"
export {
  CancelFgtsApplicationRequest,
  RenewSignatureLinkRequest,
  WithdrawFromProposalRequest
} from "./origination/ExitRequests.ts"
export { getApplication } from "./origination/GetApplication.ts"
export { getApplicationStatus, maxWaitSeconds, type StatusRead } from "./origination/GetApplicationStatus.ts"
export { getKyc } from "./origination/GetKyc.ts"
export { KycSuggestions } from "./origination/KycSuggestions.ts"
export { isApplicationSearch, listApplications } from "./origination/ListApplications.ts"
export { parseNewApplication } from "./origination/parseNewApplication.ts"
export { requoteApplication } from "./origination/RequoteApplication.ts"
export { maxSearchResults, searchApplications } from "./origination/SearchApplications.ts"
export { type StatusWaiter, StatusWatch, type WaitResult } from "./origination/StatusWatch.ts"
export { type JobKey, type StoredJob, StoredJobs } from "./origination/StoredJobs.ts"
export { submitKyc } from "./origination/SubmitKyc.ts"
export { updateApplication } from "./origination/UpdateApplication.ts"
export { dueAt, duePauseMs } from "./work/dueAt.ts"
export { earlyCallbackMs, isRemembered } from "./work/earlyCallback.ts"
export { type Job, jobAnswered, jobKinds, jobName, type JobOutcome, type JobProgress, jobStarted } from "./work/Job.ts"
export { jobOf } from "./work/jobOf.ts"
export { ensureJobPorts, type JobPorts, layerJobPorts, PortReplacedAboveJobs, PortsOfJobs } from "./work/JobPorts.ts"
export { type CallbackRefusal, lenderCallback } from "./work/lenderCallback.ts"
export { startJobMetrics } from "./work/outcomeMetrics.ts"
export { pollContract, pollDelayMs } from "./work/pollContract.ts"
export { recordContract } from "./work/recordFromLender.ts"
export { alarmingFailures, failureDelayMs, maxAttempts, type QuoteAttempt, quoteDeadlineMs } from "./work/retry.ts"
export { runContract } from "./work/runContract.ts"
export { runJob } from "./work/runJob.ts"
export { ReportProblem } from "./work/RunProblem.ts"
export { runQuote } from "./work/runQuote.ts"
export { submitContract } from "./work/submitContract.ts"
