import { GroupId, groupRecord, groupWithId } from "@lastro/domain/access"
import { foldText } from "@lastro/domain/input"
import { UserDetail, type UserListItem } from "@lastro/domain/user"
import { emailKey } from "@lastro/domain/values"
import { Schema } from "effect"

/** The columns of a user, with the name of its partner. */
export const userColumns =
  "id as user_id, name, email, phone, cpf, status, group_id, must_change_password, created_at, partner_id, metadata, " +
  "(select name from partner where partner.id = user.partner_id) as partner_name"

const { group: _group, partners: _partners, ...fields } = UserDetail.fields

const rowOf = Schema.decodeUnknownSync(Schema.Struct({
  ...fields,
  must_change_password: Schema.BooleanFromBit,
  metadata: Schema.fromJsonString(fields.metadata),
  group_id: GroupId,
  partner_name: Schema.String
}))

/** Decodes a row into a user. */
export const userOf = (row: unknown): UserDetail => {
  const { group_id, partner_name, ...user } = rowOf(row)
  return {
    ...user,
    group: groupRecord(groupWithId(group_id)),
    partners: [{ partner_id: user.partner_id, name: partner_name }]
  }
}

/**
 * Returns the column values of a user's mutable fields except the partner, with their folded texts for search and
 * order.
 */
export const changingValues = (user: UserListItem) => ({
  group_id: user.group.group_id,
  status: user.status,
  name: user.name,
  name_folded: foldText(user.name),
  email: user.email,
  email_folded: foldText(user.email),
  email_key: emailKey(user.email),
  phone: user.phone,
  must_change_password: Number(user.must_change_password),
  metadata: JSON.stringify(user.metadata)
})
