import { type PartnerDetail, type UserDetail, type UserListItem, UserRepository } from "@lastro/domain"
import { Effect } from "effect"
import { later } from "./partnersUnderTest.ts"
import { judged, opened, scopeOfPartner } from "./read.ts"

/** The user as a caller of this partner finds it now. */
export const rereadUser = (caller: PartnerDetail, { user_id }: UserListItem) =>
  Effect.gen(function*() {
    return judged(yield* (yield* UserRepository).find(scopeOfPartner(caller), user_id))
  })

/** The user found for update, by a caller of this partner. */
export const userForUpdate = (caller: PartnerDetail, { user_id }: UserListItem) =>
  Effect.gen(function*() {
    return yield* opened((yield* UserRepository).findForUpdate(scopeOfPartner(caller), user_id))
  })

/** Removes the user as it is now. */
export const removeUser = (caller: PartnerDetail, user: UserListItem) =>
  Effect.gen(function*() {
    yield* (yield* UserRepository).remove(yield* userForUpdate(caller, user), later)
  })

/** A user of this partner, whole. */
export const wholeUser = (partner: PartnerDetail, user: UserListItem): UserDetail => ({
  ...user,
  partners: [{ partner_id: partner.partner_id, name: partner.name }]
})
