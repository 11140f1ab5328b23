import { type PartnerDetail } from "@lastro/domain/partner"
import { type UserDetail, type UserListItem, UserRepository } from "@lastro/domain/user"
import { Effect } from "effect"
import { later } from "../hierarchy/storedPartner.ts"
import { recordOrRefusal, requireInScope, scopeOfPartner } from "../suite/queries.ts"

/** Reads a user as a caller who belongs to the partner `caller`. */
export const readUser = (caller: PartnerDetail, { user_id }: UserListItem) =>
  Effect.gen(function*() {
    return recordOrRefusal(yield* (yield* UserRepository).find(scopeOfPartner(caller), user_id))
  })

/** Finds a user for update, as a caller who belongs to the partner `caller`. */
export const findUserForUpdate = (caller: PartnerDetail, { user_id }: UserListItem) =>
  Effect.gen(function*() {
    return yield* requireInScope((yield* UserRepository).findForUpdate(scopeOfPartner(caller), user_id))
  })

/** Removes a user, as a caller who belongs to the partner `caller`. */
export const removeUser = (caller: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    yield* (yield* UserRepository).remove(yield* findUserForUpdate(caller, user), later)
  })

/** Returns the details of a user of this partner. */
export const userDetailOf = (partner: PartnerDetail, user: UserListItem): UserDetail => ({
  ...user,
  partners: [{ partner_id: partner.partner_id, name: partner.name }]
})
