import { asOperator, type PartnerDetail, type PasswordHash, type UserListItem, UserRepository } from "@lastro/domain"
import { Effect } from "effect"
import { aUser, exampleHash } from "./aUser.ts"

/** Adds a user to a partner, as the operator. */
export const givenUser = Effect.fnUntraced(function*(
  { partner_id }: PartnerDetail,
  fields: Partial<UserListItem> = {},
  password: PasswordHash = exampleHash
) {
  const user = yield* aUser(partner_id, fields)
  yield* Effect.orDie((yield* UserRepository).insert(asOperator.inScope(partner_id), user, password))
  return user
})
