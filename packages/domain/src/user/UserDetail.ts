import { Schema } from "effect"
import { PartnerId } from "../id/PartnerId.ts"
import { UserId } from "../id/UserId.ts"
import { Group } from "../identity/Group.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** An inactive user can neither sign in nor go on using a token. */
export const UserStatus = Schema.Literals(["ACTIVE", "INACTIVE"])
export type UserStatus = typeof UserStatus.Type

const item = {
  user_id: UserId,
  name: Schema.String,
  email: Schema.String,
  phone: Schema.String,
  /** 11 digits. */
  cpf: Schema.String,
  status: UserStatus,
  group: Group,
  /** True until a user with a temporary password has chosen its own. */
  must_change_password: Schema.Boolean,
  created_at: Timestamp,
  partner_id: PartnerId
}

/** A user as a list shows it. */
export const UserListItem = Schema.Struct(item).annotate({ identifier: "UserListItem" })
export type UserListItem = typeof UserListItem.Type

/** A partner that a user is tied to. */
export const UserPartnerEntry = Schema.Struct({ partner_id: PartnerId, name: Schema.String }).annotate({
  identifier: "UserPartnerEntry"
})
export type UserPartnerEntry = typeof UserPartnerEntry.Type

/** A user, whole. `partners` are the partners it is tied to: today exactly one, the one `partner_id` names. */
export const UserDetail = Schema.Struct({ ...item, partners: Schema.Array(UserPartnerEntry) }).annotate({
  identifier: "UserDetail"
})
export type UserDetail = typeof UserDetail.Type

/** What a list shows of a user. */
export const userListItem = ({ partners: _, ...user }: UserDetail): UserListItem => user
