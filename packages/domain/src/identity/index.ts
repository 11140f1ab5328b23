export {
  type ApiClient,
  ApiClientRepository,
  ClientIdMalformed,
  ClientIdTaken,
  judgeClientId,
  passwordClientId
} from "./ApiClient.ts"
export {
  type Allowed,
  authorize,
  type AuthorizedAction,
  PasswordChangeRequired,
  PermissionDenied,
  SelfDelete
} from "./Authorization.ts"
export { type Caller, type CallerFields, callerKey, type CallerKind } from "./Caller.ts"
export {
  type ClientSecretHash,
  needsFastHash,
  readClientSecret,
  type SecretOrigin,
  storeClientSecret
} from "./ClientSecret.ts"
export { CommonPasswords } from "./CommonPasswords.ts"
export {
  Group,
  groupById,
  groupBySlug,
  GroupId,
  groupRecord,
  groups,
  GroupSlug,
  groupWithId,
  type GroupWithPermissions
} from "./Group.ts"
export {
  emptyHashQueue,
  type HashLimits,
  type HashQueue,
  type HashTurn,
  joinHashQueue,
  leaveHashQueue,
  startNextHash
} from "./HashQueue.ts"
export { judgePassword, type PasswordFacts } from "./judgePassword.ts"
export { listGroups, ListOfGroupsResponse } from "./ListGroups.ts"
export { parsePassword, Password } from "./Password.ts"
export { PasswordHash, PasswordHasher } from "./PasswordHasher.ts"
export { formatScope, Permission, permissions, ScopeExceeded } from "./Permission.ts"
export { type Credentials, type Principal, PrincipalRepository } from "./Principal.ts"
export { defaultOverlap, EarlierSecretValid, isCredentialsVersionValid, OverlapMalformed } from "./secretOverlap.ts"
