import { asOperator, type PasswordHash, type UserListItem, UserRepository } from "@lastro/domain"
import { Effect } from "effect"

/** Adds a user to its partner, as the operator. */
export const insertUser = Effect.fnUntraced(function*(user: UserListItem, password: PasswordHash) {
  yield* (yield* UserRepository).insert(asOperator.inScope(user.partner_id), user, password)
  return user
})
