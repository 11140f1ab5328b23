import { type PartnerId } from "../id/PartnerId.ts"
import { type UserId } from "../id/UserId.ts"
import { type GroupSlug } from "./Group.ts"
import { type Permission } from "./Permission.ts"

/** Who is asking, as judged against the live records at this very request. */
export interface Caller {
  /** The user's id or the API client's `client_id`: the token's `sub`. */
  readonly subject: string
  readonly kind: "user" | "client"
  /** The partner whose subtree bounds everything the caller sees and does. */
  readonly partner_id: PartnerId
  /** The root of that partner's tree. */
  readonly root_id: PartnerId
  readonly group: GroupSlug
  /** What the live group allows, narrowed by the token's scope. */
  readonly permissions: ReadonlySet<Permission>
  /** True until a user with a temporary password has chosen its own. */
  readonly must_change_password: boolean
}

/** Whether the caller is this user. */
export const isSelf = (caller: Caller, user: UserId): boolean => caller.kind === "user" && caller.subject === user
