export {
  type ChosenCredentials,
  ClientSecretMalformed,
  type ClientWithSecret,
  createApiClient,
  judgeClientSecret,
  revokeApiClient,
  rotateApiClient,
  type RotatedClient,
  type RotationOptions
} from "./apiClients.ts"
export { bootstrap, type BootstrapChoices, type BootstrapResult } from "./bootstrap.ts"
export { createRootPartner } from "./createRootPartner.ts"
export { Installation } from "./Installation.ts"
export { cancelJob, type JobDetail, listJobs, parseJobName, retryJob, showJob } from "./jobs.ts"
export { recoverAdministrator, type RecoveredAdministrator, UserOfAnotherPartner } from "./recoverAdministrator.ts"
export { setPartnerStatus } from "./setPartnerStatus.ts"
export { type ApplicationDetail, showApplication, type ShowOptions } from "./showApplication.ts"
export { LastSigningKey, retireSigningKey } from "./signingKeys.ts"
