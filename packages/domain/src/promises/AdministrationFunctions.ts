import { type Result } from "effect"
import { type Caller } from "../identity/Caller.ts"
import { type GroupWithPermissions } from "../identity/Group.ts"
import { type createPartner } from "../partner/CreatePartner.ts"
import { type deletePartner } from "../partner/DeletePartner.ts"
import { type getPartner } from "../partner/GetPartner.ts"
import { type listPartners } from "../partner/ListPartners.ts"
import { type PartnerDetail } from "../partner/PartnerDetail.ts"
import { type updatePartner } from "../partner/UpdatePartner.ts"
import { type createUser } from "../user/CreateUser.ts"
import { type deleteUser } from "../user/DeleteUser.ts"
import { type getUser } from "../user/GetUser.ts"
import { type listUsers } from "../user/ListUsers.ts"
import { type updateUser } from "../user/UpdateUser.ts"
import { type UserDetail } from "../user/UserDetail.ts"
import { type CallerAnswer, type RecordAnswer, type Unpermitted } from "./Answer.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions } from "./CallOptions.ts"

/**
 * Partners, users and groups, for a caller. Bodies are those of the API's requests, untrusted: what is wrong with one is
 * ValidationFailed and names each field. So are queries, `{ size: 5, sort: "name,desc", name: "são" }`, or what a framework has read
 * from a URL. An id that names nothing is NotFound, one beyond the caller's subtree OutsideHierarchy.
 */
export interface AdministrationFunctions {
  /** A page of the partners in the caller's subtree. */
  readonly listPartners: (caller: Caller, query?: unknown, options?: CallOptions) => CallerAnswer<typeof listPartners>
  /** Adds a partner below the caller's own, or below the `parent_uuid` that the body names. */
  readonly createPartner: (caller: Caller, body: unknown, options?: CreateOptions) => CallerAnswer<typeof createPartner>
  /** One partner. */
  readonly getPartner: (caller: Caller, partner_id: string, options?: CallOptions) => RecordAnswer<typeof getPartner>
  /** Changes what the body names and nothing else; another parent takes the whole subtree along. */
  readonly updatePartner: (
    caller: Caller,
    partner_id: string,
    body: unknown,
    options?: ChangeOptions<PartnerDetail>
  ) => RecordAnswer<typeof updatePartner>
  /** Deletes a partner that nothing depends on. */
  readonly deletePartner: (
    caller: Caller,
    partner_id: string,
    options?: ChangeOptions<PartnerDetail>
  ) => RecordAnswer<typeof deletePartner>
  /** A page of the users in the caller's subtree. */
  readonly listUsers: (caller: Caller, query?: unknown, options?: CallOptions) => CallerAnswer<typeof listUsers>
  /** Adds a user; without a password a temporary one is answered, this once. */
  readonly createUser: (caller: Caller, body: unknown, options?: CreateOptions) => CallerAnswer<typeof createUser>
  /** One user. */
  readonly getUser: (caller: Caller, user_id: string, options?: CallOptions) => RecordAnswer<typeof getUser>
  /** Changes what the body names and nothing else. */
  readonly updateUser: (
    caller: Caller,
    user_id: string,
    body: unknown,
    options?: ChangeOptions<UserDetail>
  ) => RecordAnswer<typeof updateUser>
  /** Deletes a user and ends its sessions. */
  readonly deleteUser: (
    caller: Caller,
    user_id: string,
    options?: ChangeOptions<UserDetail>
  ) => RecordAnswer<typeof deleteUser>
  /** The groups there are, each with what it allows. */
  readonly listGroups: (
    caller: Caller,
    options?: CallOptions
  ) => Promise<Result.Result<ReadonlyArray<GroupWithPermissions>, Unpermitted>>
}
