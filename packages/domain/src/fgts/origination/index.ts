export { contractsPerRound, nextPollAt, pollContract, pollDueContracts } from "../work/pollContracts.ts"
export { recordContract, recordFromLender } from "../work/recordFromLender.ts"
export { maxAttempts, type QuoteAttempt, quoteDeadlineMs } from "../work/retry.ts"
export { runQuote } from "../work/runQuote.ts"
export { submitContract } from "../work/submitContract.ts"
export { acceptOffer } from "./AcceptOffer.ts"
export { ApplicationRepository } from "./ApplicationRepository.ts"
export {
  AcceptFgtsOfferRequest,
  AcceptFgtsOfferResponse,
  CreateFgtsApplicationRequest,
  externalIdBounds,
  RequoteFgtsApplicationRequest
} from "./ApplicationRequests.ts"
export { createApplication } from "./CreateApplication.ts"
export { DurableWork } from "./DurableWork.ts"
export { getApplication } from "./GetApplication.ts"
export { getApplicationStatus, maxWaitSeconds, type StatusRead } from "./GetApplicationStatus.ts"
export { getKyc } from "./GetKyc.ts"
export { KycSuggestions } from "./KycSuggestions.ts"
export { parseNewApplication } from "./parseNewApplication.ts"
export { requoteApplication } from "./RequoteApplication.ts"
export { maxSearchResults, searchApplications } from "./SearchApplications.ts"
export { type StatusWaiter, StatusWatch, type WaitResult } from "./StatusWatch.ts"
export { submitKyc } from "./SubmitKyc.ts"
