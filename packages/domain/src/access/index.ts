export {
  type Allowed,
  authorize,
  type AuthorizedAction,
  authorizeTroubles,
  holdsAll,
  OwnPartner,
  PasswordChangeRequired,
  PermissionDenied,
  SelfDelete
} from "./Authorization.ts"
export { type Caller, type CallerFields, callerKey, type CallerKind } from "./Caller.ts"
export {
  Group,
  groupById,
  groupBySlug,
  GroupId,
  GroupName,
  groupNamed,
  groupRecord,
  groups,
  GroupSlug,
  groupWithId,
  type GroupWithPermissions
} from "./Group.ts"
export { formatScope, Permission, permissions, ScopeExceeded } from "./Permission.ts"
