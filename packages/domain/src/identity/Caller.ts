import { type PartnerId, type UserId } from "../id/ids.ts"
import { type GroupSlug } from "./Group.ts"
import { type Permission } from "./Permission.ts"

/** The principal of a request, with its partner and permissions as stored at the time of the request. */
export interface Caller {
  /** The `sub` of the token: the id of the user, or the `client_id` of the API client. */
  readonly subject: string
  readonly kind: "user" | "client"
  /** The partner whose subtree bounds what the caller may read and change. */
  readonly partner_id: PartnerId
  /** The root of that partner's tree. */
  readonly root_id: PartnerId
  readonly group: GroupSlug
  /** The permissions of the group, narrowed by the scope of the token. */
  readonly permissions: ReadonlySet<Permission>
  /** True until a user with a temporary password has set a new one. */
  readonly must_change_password: boolean
}

/** Returns whether the caller is this user. */
export const isSelf = (caller: Caller, user: UserId): boolean => caller.kind === "user" && caller.subject === user
