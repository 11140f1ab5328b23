import { type GroupId, groupRecord, groups } from "@lastro/domain/access"
import { type UserDetail, type UserListItem, UserStatus } from "@lastro/domain/user"
import { type UserId } from "@lastro/domain/values"
import * as fc from "fast-check"
import { cpf, email, personName, phone } from "./documents.ts"
import { metadata, partnerId, timestamp } from "./partners.ts"

/** User ids (UUIDv7). */
export const userId: fc.Arbitrary<UserId> = fc.uuid({ version: 7 }).map((id) => id as UserId)

/** Groups of users. */
export const group = fc.constantFrom(...groups).map(groupRecord)

/** All fields of a user except its id and its partner. */
export const userFields: fc.Arbitrary<Omit<UserListItem, "user_id" | "partner_id">> = fc.record({
  name: personName,
  email,
  phone,
  cpf,
  status: fc.constantFrom(...UserStatus.literals),
  group,
  must_change_password: fc.boolean(),
  created_at: timestamp,
  metadata
})

/** Valid users as list items. */
export const userListItem: fc.Arbitrary<UserListItem> = fc.tuple(
  userFields,
  fc.record({ user_id: userId, partner_id: partnerId })
).map(([fields, place]) => ({ ...fields, ...place }))

/** Valid users with all details. */
export const userDetail: fc.Arbitrary<UserDetail> = fc.tuple(userListItem, personName).map(([user, name]) => ({
  ...user,
  partners: [{ partner_id: user.partner_id, name }]
}))

/** Ids of the existing groups. */
export const groupId: fc.Arbitrary<GroupId> = fc.constantFrom(...groups).map(({ group_id }) => group_id)

/** Valid passwords: 12 to 40 characters, some outside ASCII. */
export const password: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(..."abcXYZ019 !?-_%éß漢😀"),
  minLength: 12,
  maxLength: 40
})

/** Valid request bodies that create a user, in canonical form. Optional fields can be absent. */
export const createUserBody = fc.record(
  { name: personName, email, phone, cpf, group_id: groupId, partner_id: partnerId, password, metadata },
  { requiredKeys: ["name", "email", "phone", "cpf", "group_id"] }
)
