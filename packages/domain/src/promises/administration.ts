import { Result } from "effect"
import { listGroups } from "../group/ListGroups.ts"
import { type Allowed } from "../hierarchy/Authorization.ts"
import { permits } from "../hierarchy/permits.ts"
import { createPartner } from "../partner/CreatePartner.ts"
import { deletePartner } from "../partner/DeletePartner.ts"
import { getPartner } from "../partner/GetPartner.ts"
import { listPartners } from "../partner/ListPartners.ts"
import { type PartnerId } from "../partner/PartnerId.ts"
import { updatePartner } from "../partner/UpdatePartner.ts"
import { createUser } from "../user/CreateUser.ts"
import { deleteUser } from "../user/DeleteUser.ts"
import { getUser } from "../user/GetUser.ts"
import { listUsers } from "../user/ListUsers.ts"
import { updateUser } from "../user/UpdateUser.ts"
import { type UserId } from "../user/UserId.ts"
import { type AdministrationFunctions } from "./AdministrationFunctions.ts"
import { basedOn, keyed, permitted, permittedOn, rawQuery, type Run } from "./calls.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** The functions of partners, users and groups. */
export const administration = (run: Run<UseCasePorts>): AdministrationFunctions => ({
  listPartners: (caller, query, options) =>
    run(permitted(permits.listPartners(caller), (allowed) => listPartners(allowed, rawQuery(query))), options),
  createPartner: (caller, body, options) => {
    const created = permitted(permits.createPartner(caller), (allowed) => createPartner(allowed, body))
    return run(keyed("createPartner", [body], options)(created), options)
  },
  getPartner: (caller, partner_id, options) =>
    run(permittedOn(permits.getPartner(caller), partner_id, getPartner), options),
  updatePartner: (caller, partner_id, body, options) => {
    const update = (allowed: Allowed<"partners:write">, id: PartnerId) =>
      updatePartner(allowed, id, body, basedOn(options))
    return run(permittedOn(permits.updatePartner(caller), partner_id, update), options)
  },
  deletePartner: (caller, partner_id, options) => {
    const remove = (allowed: Allowed<"partners:write">, id: PartnerId) => deletePartner(allowed, id, basedOn(options))
    return run(permittedOn(permits.deletePartner(caller), partner_id, remove), options)
  },
  listUsers: (caller, query, options) =>
    run(permitted(permits.listUsers(caller), (allowed) => listUsers(allowed, rawQuery(query))), options),
  createUser: (caller, body, options) => {
    const created = permitted(permits.createUser(caller), (allowed) => createUser(allowed, body))
    return run(keyed("createUser", [body], options)(created), options)
  },
  getUser: (caller, user_id, options) => run(permittedOn(permits.getUser(caller, user_id), user_id, getUser), options),
  updateUser: (caller, user_id, body, options) => {
    const update = (allowed: Allowed<"user:patch">, id: UserId) => updateUser(allowed, id, body, basedOn(options))
    return run(permittedOn(permits.updateUser(caller, user_id), user_id, update), options)
  },
  deleteUser: (caller, user_id, options) => {
    const remove = (allowed: Allowed<"users:write">, id: UserId) => deleteUser(allowed, id, basedOn(options))
    return run(permittedOn(permits.deleteUser(caller), user_id, remove), options)
  },
  listGroups: (caller) => Promise.resolve(Result.map(permits.listGroups(caller), listGroups))
})
