import { type PartnerId, type UserId } from "../id/ids.ts"
import { type GroupSlug } from "./Group.ts"
import { type Permission } from "./Permission.ts"

/** The principal of a request, with its partner and permissions as stored at the time of the request. */
export interface Caller {
  /** The `sub` of the token: the id of the user, or the `client_id` of the API client. */
  readonly subject: string
  readonly kind: "user" | "client"
  /** The caller's partner. The caller can read and change only records in the subtree of this partner. */
  readonly partner_id: PartnerId
  /** The root of the tree that contains the partner `partner_id`. */
  readonly root_id: PartnerId
  readonly group: GroupSlug
  /** The permissions of the group, narrowed by the scope of the token. */
  readonly permissions: ReadonlySet<Permission>
  /** True for a user with a temporary password, until the user sets a new password. */
  readonly must_change_password: boolean
}

/** Returns a text that is equal for all requests of a caller, and different for different callers. */
export const callerKey = ({ kind, subject }: Pick<Caller, "kind" | "subject">): string => `${kind}:${subject}`

/** Returns whether the caller is this user. */
export const isSelf = (caller: Caller, user: UserId): boolean => caller.kind === "user" && caller.subject === user
