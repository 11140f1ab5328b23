import { Schema } from "effect"
import { Group, groupBySlug, groupRecord } from "../access/Group.ts"
import { type NewEvent } from "../event/DomainEvent.ts"
import { field } from "../input/field.ts"
import { PartnerId, UserId } from "../values/ids.ts"
import { metadataField } from "../values/Metadata.ts"
import { Timestamp } from "../values/Timestamp.ts"

/** The status of a user. An inactive user cannot sign in or use a token. */
export const UserStatus = Schema.Literals(["ACTIVE", "INACTIVE"]).annotate({
  description: "Status. An inactive user cannot sign in or use a token."
})
export type UserStatus = typeof UserStatus.Type

const exampleGroup = groupRecord(groupBySlug("operator"))

const item = {
  user_id: UserId,
  name: field(Schema.String, "Name, 2 to 120 characters", "Maria da Conceição"),
  email: field(Schema.String, "E-mail address", "maria.silva@example.com"),
  phone: field(Schema.String, "Phone number: area code and 8 or 9 digits", "11987654321"),
  cpf: field(Schema.String, "CPF: 11 digits", "11144477735"),
  status: UserStatus,
  group: field(Group, "The user's group, without its permissions", exampleGroup),
  must_change_password: field(Schema.Boolean, "True until the user has replaced a temporary password", false),
  created_at: field(Timestamp, "When the record was created"),
  partner_id: field(PartnerId, "The id of the user's partner"),
  metadata: metadataField
}

/** A user as it appears in a list. */
export const UserListItem = Schema.Struct(item).annotate({
  identifier: "UserListItem",
  description: "A user in a list"
})
export interface UserListItem extends Schema.Schema.Type<typeof UserListItem> {}

/** A partner that a user belongs to. */
export const UserPartnerEntry = Schema.Struct({
  partner_id: PartnerId,
  name: field(Schema.String, "Name, 2 to 120 characters", "Correspondente Paulista Ltda")
}).annotate({ identifier: "UserPartnerEntry", description: "A partner that a user belongs to" })
export type UserPartnerEntry = typeof UserPartnerEntry.Type

/** A user with all its fields. `partners` has exactly one entry: the partner `partner_id`. */
export const UserDetail = Schema.Struct({
  ...item,
  partners: field(Schema.Array(UserPartnerEntry), "The user's partners: always one, the partner of `partner_id`")
}).annotate({ identifier: "UserDetail", description: "A user with all its fields" })
export interface UserDetail extends Schema.Schema.Type<typeof UserDetail> {}

/** Returns the fields of a user that lists contain. */
export const userListItem = ({ partners: _, ...user }: UserDetail): UserListItem => user

/**
 * Every change of a user appends one event: it was created, changed or deleted. A new password counts as a change.
 * @rule EVENT-03
 */
export const eventsOfUser = (before: UserListItem | null, after: UserListItem | null): ReadonlyArray<NewEvent> => {
  const user = after ?? before
  if (user === null) return []
  const endsOrChanges = after === null ? "user.deleted" : "user.updated"
  return [{
    type: before === null ? "user.created" : endsOrChanges,
    subject: { kind: "user", id: user.user_id, version: null },
    data: { user_id: user.user_id, partner_id: user.partner_id, status: user.status, group: user.group.slug }
  }]
}
