import { type PartnerDetail, type PasswordHash } from "@lastro/domain"
import { Effect } from "effect"
import { aUser, exampleHash, type UserFields } from "./aUser.ts"
import { insertUser } from "./insertUser.ts"

/** Adds a user to a partner, as the operator. */
export const givenUser = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  fields: UserFields = {},
  password: PasswordHash = exampleHash
) {
  return yield* Effect.orDie(insertUser(yield* aUser(fields).of(partner), password))
})
