import { Effect } from "effect"
import { groupBySlug, groupRecord } from "../access/Group.ts"
import { recordChange } from "../event/recordChange.ts"
import { asOperator } from "../hierarchy/Scope.ts"
import { type PasswordHash } from "../identity/PasswordHasher.ts"
import { IdGenerator } from "../ports/generators.ts"
import { eventsOfUser, type UserListItem } from "../user/UserDetail.ts"
import { UserRepository } from "../user/UserRepository.ts"
import { type PartnerId, type UserId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"

/** The group of administrators, as it is stored with a user. */
export const administratorGroup = groupRecord(groupBySlug("admin"))

/** Creates an active administrator of a partner, and returns its id. Call it in a transaction. */
export const createAdministrator = Effect.fnUntraced(function*(
  partner_id: PartnerId,
  person: Pick<UserListItem, "name" | "email" | "phone" | "cpf" | "must_change_password">,
  hash: PasswordHash
) {
  const at = yield* currentTimestamp
  const user: UserListItem = {
    user_id: (yield* (yield* IdGenerator).next) as UserId,
    name: person.name,
    email: person.email,
    phone: person.phone,
    cpf: person.cpf,
    status: "ACTIVE",
    group: administratorGroup,
    must_change_password: person.must_change_password,
    created_at: at,
    partner_id,
    metadata: {}
  }
  yield* (yield* UserRepository).insert(asOperator.inScope(partner_id), user, hash)
  yield* recordChange({
    events: eventsOfUser(null, user),
    at,
    caller: null,
    action: "user.create",
    subject_id: user.user_id,
    partner_id,
    after: user
  })
  return user.user_id
})
