export { type ClientCredentials, type Credentials, type OwnTokens, type UserCredentials } from "./AccessTokens.ts"
export { type CallOptions, type ChangeOptions, type KeyedOptions, type ReadOptions } from "./Call.ts"
export { type FollowOptions, LastroClient, type LastroClientOptions, type WaitOptions } from "./LastroClient.ts"
export {
  type ClientErrorCode,
  type ErrorCode,
  isLastroError,
  LastroError,
  type LastroErrorFields
} from "./LastroError.ts"
export { type ExportableList, type List, type Paged } from "./List.ts"
export { type ResponseMetadata, responseOf } from "./responseOf.ts"
export { type TransportSettings } from "./Transport.ts"
export type * from "./types.ts"
export {
  verifyWebhook,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookProblem,
  WebhookRefused
} from "./verifyWebhook.ts"
