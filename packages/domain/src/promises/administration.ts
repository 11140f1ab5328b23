import { Effect } from "effect"
import { type PartnerId } from "../id/PartnerId.ts"
import { type UserId } from "../id/UserId.ts"
import { type Allowed } from "../identity/Authorization.ts"
import { type Caller } from "../identity/Caller.ts"
import { listGroups } from "../identity/ListGroups.ts"
import { permits } from "../identity/permits.ts"
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
import { type AdministrationFunctions } from "./AdministrationFunctions.ts"
import { basedOn } from "./basedOn.ts"
import { permitted, permittedOn, type Run } from "./calls.ts"
import { keyed } from "./keyed.ts"
import { queried } from "./queried.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** The functions of partners, users and groups. */
export const administration = (run: Run<UseCasePorts>): AdministrationFunctions => ({
  listPartners: (caller, query, options) =>
    run(
      () => permitted(caller, permits.listPartners, (allowed) => queried(query, (raw) => listPartners(allowed, raw))),
      options
    ),
  createPartner: (caller, body, options) => {
    const once = keyed("createPartner", [body], options)
    return run(() => permitted(caller, permits.createPartner, (allowed) => once(createPartner(allowed, body))), options)
  },
  getPartner: (caller, partner_id, options) =>
    run(() => permittedOn(caller, permits.getPartner, partner_id, getPartner), options),
  updatePartner: (caller, partner_id, body, options) => {
    const update = (allowed: Allowed<"partners:write">, id: PartnerId) =>
      updatePartner(allowed, id, body, basedOn(options))
    return run(() => permittedOn(caller, permits.updatePartner, partner_id, update), options)
  },
  deletePartner: (caller, partner_id, options) => {
    const remove = (allowed: Allowed<"partners:write">, id: PartnerId) => deletePartner(allowed, id, basedOn(options))
    return run(() => permittedOn(caller, permits.deletePartner, partner_id, remove), options)
  },
  listUsers: (caller, query, options) =>
    run(
      () => permitted(caller, permits.listUsers, (allowed) => queried(query, (raw) => listUsers(allowed, raw))),
      options
    ),
  createUser: (caller, body, options) => {
    const once = keyed("createUser", [body], options)
    return run(() => permitted(caller, permits.createUser, (allowed) => once(createUser(allowed, body))), options)
  },
  getUser: (caller, user_id, options) => {
    const permit = (caller: Caller) => permits.getUser(caller, String(user_id))
    return run(() => permittedOn(caller, permit, user_id, getUser), options)
  },
  updateUser: (caller, user_id, body, options) => {
    const permit = (caller: Caller) => permits.updateUser(caller, String(user_id))
    const update = (allowed: Allowed<"user:patch">, id: UserId) => updateUser(allowed, id, body, basedOn(options))
    return run(() => permittedOn(caller, permit, user_id, update), options)
  },
  deleteUser: (caller, user_id, options) => {
    const remove = (allowed: Allowed<"users:write">, id: UserId) => deleteUser(allowed, id, basedOn(options))
    return run(() => permittedOn(caller, permits.deleteUser, user_id, remove), options)
  },
  listGroups: (caller, options) =>
    run(() => permitted(caller, permits.listGroups, (allowed) => Effect.succeed(listGroups(allowed))), options)
})
