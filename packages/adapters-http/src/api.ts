export * from "./api/Api.ts"
export {
  ApiError,
  ApiErrorCode,
  ApiErrorResponse,
  BankerizeErrorResponse,
  ErrorDetail,
  statusOfCode
} from "./api/ApiError.ts"
export * from "./api/AuditApi.ts"
export * from "./api/authorizationServerMetadata.ts"
export * from "./api/Bearer.ts"
export * from "./api/client.ts"
export * from "./api/FgtsApi.ts"
export * from "./api/GroupsApi.ts"
export { OAuth2ErrorCode, OAuth2ErrorResponse } from "./api/OAuth2Error.ts"
export { openApi, type OpenApiDocument } from "./api/openapi/openApi.ts"
export * from "./api/PartnersApi.ts"
export * from "./api/ProposalsApi.ts"
export * from "./api/SubmitFgtsKycRequest.ts"
export * from "./api/SystemApi.ts"
export * from "./api/TokenApi.ts"
export * from "./api/UsersApi.ts"
