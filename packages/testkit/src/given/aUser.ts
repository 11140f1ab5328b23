import {
  groupBySlug,
  groupRecord,
  type PartnerId,
  type PasswordHash,
  type UserId,
  type UserListItem
} from "@lastro/domain"
import { Effect } from "effect"
import { exampleInstant } from "./aPartner.ts"
import { freshCpf, freshId } from "./freshId.ts"

/** A hash nobody has the password of. */
export const exampleHash = "$example$" as PasswordHash

/** An active administrator of a partner, with a fresh id, e-mail and CPF; the fields given replace the example's. */
export const aUser = (partner_id: PartnerId, fields: Partial<UserListItem> = {}): Effect.Effect<UserListItem> =>
  Effect.gen(function*() {
    const user_id = (yield* freshId) as UserId
    return {
      user_id,
      name: "Maria Exemplo",
      email: `maria.${user_id}@example.com`,
      phone: "11912345678",
      cpf: yield* freshCpf,
      status: "ACTIVE",
      group: groupRecord(groupBySlug("admin")),
      must_change_password: false,
      created_at: exampleInstant,
      partner_id,
      ...fields
    }
  })
