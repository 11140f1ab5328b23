import { type Result } from "effect"
import { type Caller } from "../access/Caller.ts"
import { type GroupWithPermissions } from "../access/Group.ts"
import { type AuditItem } from "../audit/AuditItem.ts"
import {
  type ClientDetail,
  type ClientWithSecret,
  type CreateClientRequest,
  type OwnClient,
  type RotateClientRequest
} from "../client/ClientDetail.ts"
import { type FeedRead } from "../event/ListEvents.ts"
import { type Page } from "../input/Page.ts"
import { type PartnerDetail, type PartnerListItem } from "../partner/PartnerDetail.ts"
import { type CreatePartnerRequest, type UpdatePartnerRequest } from "../partner/PartnerRequests.ts"
import { type UserDetail, type UserListItem } from "../user/UserDetail.ts"
import { type CreateUserRequest, type CreateUserResponseData, type UpdateUserRequest } from "../user/UserRequests.ts"
import { type CallOptions, type ChangeOptions, type CreateOptions } from "./CallOptions.ts"
import { type OperationFailure, type Untrusted } from "./OperationFailure.ts"

/**
 * The operations on partners, users, API clients, groups, the audit and events, as functions. `CallerFunctions`
 * describes them.
 */
export interface AdministrationFunctions {
  /** Lists the partners in the caller's subtree, one page at a time. */
  readonly listPartners: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<PartnerListItem>, OperationFailure<"listPartners">>>
  /** Creates a partner as a child of the caller's partner, or of the partner in `parent_uuid`. */
  readonly createPartner: (
    caller: Caller,
    body: Untrusted<CreatePartnerRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<PartnerDetail, OperationFailure<"createPartner">>>
  /** Returns a partner of the caller's subtree. */
  readonly getPartner: (
    caller: Caller,
    partner_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<PartnerDetail, OperationFailure<"getPartner">>>
  /** Changes a partner. Only the fields in the body change. A new parent moves the partner with its whole subtree. */
  readonly updatePartner: (
    caller: Caller,
    partner_id: string,
    body: Untrusted<UpdatePartnerRequest>,
    options?: ChangeOptions<PartnerDetail>
  ) => Promise<Result.Result<PartnerDetail, OperationFailure<"updatePartner">>>
  /** Deletes a partner that has no children, users or unfinished applications. */
  readonly deletePartner: (
    caller: Caller,
    partner_id: string,
    options?: ChangeOptions<PartnerDetail>
  ) => Promise<Result.Result<void, OperationFailure<"deletePartner">>>
  /** Lists the users in the caller's subtree, one page at a time. */
  readonly listUsers: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<UserListItem>, OperationFailure<"listUsers">>>
  /**
   * Creates a user. If the body contains no password, the answer contains a temporary password. It is returned only
   * once.
   */
  readonly createUser: (
    caller: Caller,
    body: Untrusted<CreateUserRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<CreateUserResponseData, OperationFailure<"createUser">>>
  /** Reads the caller's own user or API client. Fails with NotFound for a user of the host application. */
  readonly getOwnUser: (
    caller: Caller,
    options?: CallOptions
  ) => Promise<Result.Result<UserDetail | OwnClient, OperationFailure<"getOwnUser">>>
  /** Reads one user. */
  readonly getUser: (
    caller: Caller,
    user_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<UserDetail, OperationFailure<"getUser">>>
  /** Changes a user. Only the fields in the body change. */
  readonly updateUser: (
    caller: Caller,
    user_id: string,
    body: Untrusted<UpdateUserRequest>,
    options?: ChangeOptions<UserDetail>
  ) => Promise<Result.Result<UserDetail, OperationFailure<"updateUser">>>
  /** Deletes a user and revokes its sessions. */
  readonly deleteUser: (
    caller: Caller,
    user_id: string,
    options?: ChangeOptions<UserDetail>
  ) => Promise<Result.Result<void, OperationFailure<"deleteUser">>>
  /** Lists the API clients in the caller's subtree, revoked ones included, one page at a time. */
  readonly listClients: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<ClientDetail>, OperationFailure<"listClients">>>
  /** Creates an API client. Its secret is returned only once. */
  readonly createClient: (
    caller: Caller,
    body: Untrusted<CreateClientRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<ClientWithSecret, OperationFailure<"createClient">>>
  /** Reads one API client. */
  readonly getClient: (
    caller: Caller,
    client_id: string,
    options?: CallOptions
  ) => Promise<Result.Result<ClientDetail, OperationFailure<"getClient">>>
  /** Revokes an API client. Its tokens are refused at once. */
  readonly revokeClient: (
    caller: Caller,
    client_id: string,
    options?: ChangeOptions<ClientDetail>
  ) => Promise<Result.Result<void, OperationFailure<"revokeClient">>>
  /** Replaces the secret of an API client. The old one stays valid for 24 hours. The new one is returned only once. */
  readonly rotateClientSecret: (
    caller: Caller,
    client_id: string,
    body?: Untrusted<RotateClientRequest>,
    options?: CreateOptions
  ) => Promise<Result.Result<ClientWithSecret, OperationFailure<"rotateClientSecret">>>
  /** Lists every group with its permissions. */
  readonly listGroups: (
    caller: Caller,
    options?: CallOptions
  ) => Promise<Result.Result<ReadonlyArray<GroupWithPermissions>, OperationFailure<"listGroups">>>
  /** Lists the audit entries of the partners in the caller's subtree, newest first, one page at a time. */
  readonly listAudit: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<Page<AuditItem>, OperationFailure<"listAudit">>>
  /** Reads the events of the caller's partner and of the partners below it, oldest first. Continue with `next`. */
  readonly listEvents: (
    caller: Caller,
    query?: unknown,
    options?: CallOptions
  ) => Promise<Result.Result<FeedRead, OperationFailure<"listEvents">>>
}
