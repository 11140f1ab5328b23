export * from "./Api.ts"
export {
  ApiError,
  ApiErrorCode,
  ApiErrorResponse,
  BankerizeErrorResponse,
  ErrorDetail,
  statusOfCode
} from "./ApiError.ts"
export * from "./authorizationServerMetadata.ts"
export * from "./Bearer.ts"
export * from "./client.ts"
export * from "./FgtsApi.ts"
export * from "./GroupsApi.ts"
export { OAuth2ErrorCode, OAuth2ErrorResponse } from "./OAuth2Error.ts"
export { openApi, type OpenApiDocument } from "./openApi.ts"
export * from "./PartnersApi.ts"
export * from "./ProposalsApi.ts"
export * from "./SubmitFgtsKycRequest.ts"
export * from "./SystemApi.ts"
export * from "./TokenApi.ts"
export * from "./UsersApi.ts"
