import { Effect } from "effect"
import { type Allowed, authorizeGroups, authorizeUserPatch, authorizeUserRead } from "../access/Authorization.ts"
import { listAudit } from "../audit/ListAudit.ts"
import { listEvents } from "../event/ListEvents.ts"
import { listGroups } from "../identity/ListGroups.ts"
import { createPartner } from "../partner/CreatePartner.ts"
import { deletePartner } from "../partner/DeletePartner.ts"
import { getPartner } from "../partner/GetPartner.ts"
import { listPartners } from "../partner/ListPartners.ts"
import { updatePartner } from "../partner/UpdatePartner.ts"
import { createUser } from "../user/CreateUser.ts"
import { deleteUser } from "../user/DeleteUser.ts"
import { getUser } from "../user/GetUser.ts"
import { listUsers } from "../user/ListUsers.ts"
import { updateUser } from "../user/UpdateUser.ts"
import { type UserId } from "../values/ids.ts"
import { noAddress, ownUser, partner, user } from "./Address.ts"
import { operation, type Requirement, requirePermission } from "./Operation.ts"

const readPartners = requirePermission("partners:read")
const writePartners = requirePermission("partners:write")
const readUsers = requirePermission("users:read")
const writeUsers = requirePermission("users:write")
const readUser: Requirement<"user:read", UserId> = { permission: "users:read", check: authorizeUserRead }
const patchUser: Requirement<"user:patch", UserId> = { permission: "users:write", check: authorizeUserPatch }
const readAudit = requirePermission("audit:read")
const readEvents = requirePermission("events:read")
const readGroups: Requirement<"groups:read"> = { permission: null, check: authorizeGroups }

/** The operations on partners, users, groups and the audit. */
export const administration = {
  /** Lists the partners in the caller's subtree, one page at a time. */
  listPartners: operation({
    requires: readPartners,
    address: noAddress,
    takes: "list",
    useCase: listPartners
  }),
  /** Creates a partner as a child of the caller's partner, or of the partner in `parent_uuid`. */
  createPartner: operation({
    requires: writePartners,
    address: noAddress,
    takes: "command",
    creates: "partner_id",
    absentIfEmpty: "metadata",
    useCase: createPartner
  }),
  /** Reads one partner. */
  getPartner: operation({
    requires: readPartners,
    address: partner,
    takes: "nothing",
    absentIfEmpty: "metadata",
    useCase: getPartner
  }),
  /** Changes a partner. Only the fields in the body change. A new parent moves the partner with its whole subtree. */
  updatePartner: operation({
    requires: writePartners,
    address: partner,
    takes: "patch",
    absentIfEmpty: "metadata",
    useCase: updatePartner
  }),
  /** Deletes a partner that has no children, users or unfinished applications. */
  deletePartner: operation({ requires: writePartners, address: partner, takes: "deletion", useCase: deletePartner }),
  /** Lists the users in the caller's subtree, one page at a time. */
  listUsers: operation({ requires: readUsers, address: noAddress, takes: "list", useCase: listUsers }),
  /** Creates a user. If the body contains no password, the answer contains a temporary password. It is returned only once. */
  createUser: operation({
    requires: writeUsers,
    address: noAddress,
    takes: "command",
    creates: "user_id",
    secret: "temporary_password",
    useCase: createUser
  }),
  /** Reads the caller's own user. Fails with NotFound for an API client and for a user of the host application. */
  getOwnUser: operation({ requires: readUser, address: ownUser, takes: "nothing", useCase: getUser }),
  /** Reads one user. */
  getUser: operation({ requires: readUser, address: user, takes: "nothing", useCase: getUser }),
  /** Changes a user. Only the fields in the body change. */
  updateUser: operation({ requires: patchUser, address: user, takes: "patch", useCase: updateUser }),
  /** Deletes a user and revokes its sessions. */
  deleteUser: operation({ requires: writeUsers, address: user, takes: "deletion", useCase: deleteUser }),
  /** Lists every group with its permissions. */
  listGroups: operation({
    requires: readGroups,
    address: noAddress,
    takes: "nothing",
    useCase: (allowed: Allowed<"groups:read">) => Effect.succeed(listGroups(allowed))
  }),
  /** Lists the audit entries of the partners in the caller's subtree, newest first, one page at a time. */
  listAudit: operation({ requires: readAudit, address: noAddress, takes: "list", useCase: listAudit }),
  /** Reads the events of the caller's partner and of the partners below it, oldest first. Go on from `next`. */
  listEvents: operation({ requires: readEvents, address: noAddress, takes: "feed", useCase: listEvents })
}
