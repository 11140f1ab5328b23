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
export { Installation } from "./Installation.ts"
export { cancelJob, type JobDetail, listJobs, parseJobName, retryJob, showJob } from "./jobs.ts"
export { listApplicationsBelow, listPartnersBelow, listUsersBelow } from "./lists.ts"
export { createRootPartner, setPartnerStatus } from "./partners.ts"
export {
  recoverAdministrator,
  type RecoveredAdministrator,
  type RecoveryOptions,
  UserOfAnotherPartner
} from "./recoverAdministrator.ts"
export { type ApplicationDetail, showApplication, type ShowOptions } from "./showApplication.ts"
export { LastSigningKey, retireSigningKey, revokeSigningKey } from "./signingKeys.ts"
export { readTroubles, type Troubles } from "./troubles.ts"
export { resumeWebhook } from "./webhooks.ts"
