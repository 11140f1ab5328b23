export {
  AccessClaims,
  accessTokenSeconds,
  claimsOf,
  isIssuedLifetime,
  judgeClaims,
  judgeSubject,
  type PrincipalKey,
  Unauthenticated
} from "./AccessClaims.ts"
export { addressBehind, addressKey } from "./addressKey.ts"
export {
  type ApiClient,
  ApiClientRepository,
  type ClientFilters,
  ClientIdMalformed,
  ClientIdTaken,
  type ClientQuery,
  type ClientSortField,
  clientSortFields,
  judgeClientId,
  passwordClientId
} from "./ApiClient.ts"
export {
  type ClientSecretHash,
  needsFastHash,
  readClientSecret,
  type SecretOrigin,
  storeClientSecret
} from "./ClientSecret.ts"
export { CommonPasswords } from "./CommonPasswords.ts"
export { callerAt, type HostPrincipal, judgeHostPrincipal } from "./HostPrincipal.ts"
export { issueToken } from "./IssueToken.ts"
export { isCommonPassword, judgePassword, type PasswordFacts } from "./judgePassword.ts"
export { listGroups, ListOfGroupsResponse } from "./ListGroups.ts"
export { type FailedLogin, LoginAttempts, type LoginVerdict, loginWindowMs, TooManyAttempts } from "./LoginAttempts.ts"
export { parsePassword, Password } from "./Password.ts"
export { PasswordHash, PasswordHasher } from "./PasswordHasher.ts"
export { type Credentials, type Principal, PrincipalRepository } from "./Principal.ts"
export { type ClientCredentials, isTokenParameter, parseTokenRequest, type TokenGrant } from "./readTokenRequest.ts"
export {
  judgeRefresh,
  type RefreshToken,
  refreshTokenDays,
  RefreshTokenRepository,
  type RefreshVerdict
} from "./RefreshToken.ts"
export {
  callerOfPrincipal,
  readAsLastSeen,
  resolveCaller,
  resolveClaims,
  type ResolvedCaller
} from "./resolveCaller.ts"
export { revokeToken } from "./RevokeToken.ts"
export { EarlierSecretValid, OverlapMalformed } from "./secretOverlap.ts"
export {
  clockSkewSeconds,
  keyLeadSeconds,
  publishedKeysAt,
  type SigningKey,
  signingKeyAt,
  SigningKeyRepository
} from "./SigningKey.ts"
export { startSignInMetrics } from "./signInMetrics.ts"
export { TokenErrorCode, TokenRefused, TokenRequest, TokenResponse } from "./TokenRequest.ts"
export { TokenSigner } from "./TokenSigner.ts"
export { ClientAddress } from "./verifySecret.ts"
