import { Effect } from "effect"
import {
  type Allowed,
  authorizeGroups,
  authorizeSelf,
  authorizeUserPatch,
  authorizeUserRead
} from "../access/Authorization.ts"
import { listAudit } from "../audit/ListAudit.ts"
import { revokeClient, rotateClientSecret } from "../client/ChangeClient.ts"
import { createClient, getClient } from "../client/CreateClient.ts"
import { getOwnPrincipal } from "../client/GetOwnPrincipal.ts"
import { listClients } from "../client/ListClients.ts"
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
import { client, noAddress, partner, self, user } from "./Address.ts"
import { operation, type Requirement, requirePermission } from "./Operation.ts"

const readPartners = requirePermission("partners:read")
const writePartners = requirePermission("partners:write")
const readUsers = requirePermission("users:read")
const writeUsers = requirePermission("users:write")
const readUser: Requirement<"user:read", UserId> = { permission: "users:read", check: authorizeUserRead }
const patchUser: Requirement<"user:patch", UserId> = { permission: "users:write", check: authorizeUserPatch }
const readSelf: Requirement<"self:read"> = { permission: null, check: authorizeSelf }
const writeClients = requirePermission("clients:write")
const readAudit = requirePermission("audit:read")
const readEvents = requirePermission("events:read")
const readGroups: Requirement<"groups:read"> = { permission: null, check: authorizeGroups }

/**
 * The operations on partners, users, API clients, groups, the audit and events. `AdministrationFunctions` describes
 * each one.
 */
export const administration = {
  listPartners: operation({
    requires: readPartners,
    address: noAddress,
    takes: "list",
    useCase: listPartners
  }),
  createPartner: operation({
    requires: writePartners,
    address: noAddress,
    takes: "command",
    creates: "partner_id",
    absentIfEmpty: "metadata",
    useCase: createPartner
  }),
  getPartner: operation({
    requires: readPartners,
    address: partner,
    takes: "nothing",
    absentIfEmpty: "metadata",
    useCase: getPartner
  }),
  updatePartner: operation({
    requires: writePartners,
    address: partner,
    takes: "patch",
    absentIfEmpty: "metadata",
    useCase: updatePartner
  }),
  deletePartner: operation({ requires: writePartners, address: partner, takes: "deletion", useCase: deletePartner }),
  listUsers: operation({ requires: readUsers, address: noAddress, takes: "list", useCase: listUsers }),
  createUser: operation({
    requires: writeUsers,
    address: noAddress,
    takes: "command",
    creates: "user_id",
    secret: "temporary_password",
    useCase: createUser
  }),
  getOwnUser: operation({ requires: readSelf, address: self, takes: "nothing", useCase: getOwnPrincipal }),
  getUser: operation({ requires: readUser, address: user, takes: "nothing", useCase: getUser }),
  updateUser: operation({ requires: patchUser, address: user, takes: "patch", useCase: updateUser }),
  deleteUser: operation({ requires: writeUsers, address: user, takes: "deletion", useCase: deleteUser }),
  listClients: operation({ requires: writeClients, address: noAddress, takes: "list", useCase: listClients }),
  createClient: operation({
    requires: writeClients,
    address: noAddress,
    takes: "command",
    creates: "client_id",
    secret: "client_secret",
    useCase: createClient
  }),
  getClient: operation({ requires: writeClients, address: client, takes: "nothing", useCase: getClient }),
  revokeClient: operation({ requires: writeClients, address: client, takes: "deletion", useCase: revokeClient }),
  rotateClientSecret: operation({
    requires: writeClients,
    address: client,
    takes: "optional command",
    secret: "client_secret",
    useCase: rotateClientSecret
  }),
  listGroups: operation({
    requires: readGroups,
    address: noAddress,
    takes: "nothing",
    useCase: (allowed: Allowed<"groups:read">) => Effect.succeed(listGroups(allowed))
  }),
  listAudit: operation({ requires: readAudit, address: noAddress, takes: "list", useCase: listAudit }),
  listEvents: operation({ requires: readEvents, address: noAddress, takes: "feed", useCase: listEvents })
}
