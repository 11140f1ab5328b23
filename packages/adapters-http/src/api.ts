export { Api } from "./api/Api.ts"
export {
  ApiError,
  ApiErrorCode,
  ApiErrorResponse,
  BankerizeErrorResponse,
  ErrorDetail,
  statusOfCode
} from "./api/ApiError.ts"
export * from "./api/AuditApi.ts"
export * from "./api/client.ts"
export { Bearer } from "./api/endpointParts.ts"
export * from "./api/FgtsApi.ts"
export { SubmitFgtsKycRequest } from "./api/kycEndpoints.ts"
export { OAuth2ErrorCode, OAuth2ErrorResponse } from "./api/OAuth2Error.ts"
export { openApi, type OpenApiDocument } from "./api/openapi/openApi.ts"
export * from "./api/PartnersApi.ts"
export * from "./api/ProposalsApi.ts"
export * from "./api/SystemApi.ts"
export * from "./api/TokenApi.ts"
export * from "./api/UsersApi.ts"
