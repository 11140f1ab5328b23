import { asOperator, type PartnerDetail, type PasswordHash, UserRepository } from "@lastro/domain"
import { Effect } from "effect"
import { aUser, exampleHash, type UserFields } from "./aUser.ts"

/** Adds a user to a partner, as the operator. */
export const givenUser = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: UserFields = {},
  password: PasswordHash = exampleHash
) {
  const user = yield* aUser(fields).of(partner)
  yield* Effect.orDie((yield* UserRepository).insert(asOperator.inScope(partner.partner_id), user, password))
  return user
})
