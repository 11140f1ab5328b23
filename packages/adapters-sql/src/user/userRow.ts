import { groupById, type GroupId, groupRecord } from "@lastro/domain/access"
import { foldText } from "@lastro/domain/input"
import { type UserDetail, type UserListItem, type UserStatus } from "@lastro/domain/user"
import { emailKey, lowerCaseEmail, type Metadata, type PartnerId, type UserId } from "@lastro/domain/values"
import { type SqlClient, type Statement } from "effect/sql"
import { toTimestamp } from "../database/columnValues.ts"

/** A row of a user query. */
export interface UserRow {
  readonly user_id: UserId
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly cpf: string
  readonly status: UserStatus
  readonly group_id: GroupId
  readonly must_change_password: boolean
  readonly created_at: Date
  readonly partner_id: PartnerId
  readonly metadata: Metadata
}

/** The columns of a {@link UserRow}. The table alias is `item`. */
export const userColumns =
  "item.id as user_id, item.name, item.email, item.phone, item.cpf, item.status, item.group_id, " +
  "item.must_change_password, item.created_at, item.partner_id, item.metadata"

const groupOf = (id: GroupId): UserListItem["group"] => {
  const group = groupById(id)
  if (group === undefined) throw new Error(`A user has the unknown group ${id}`)
  return groupRecord(group)
}

export const userListItemOf = (row: UserRow): UserListItem => ({
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  cpf: row.cpf,
  status: row.status,
  group: groupOf(row.group_id),
  must_change_password: row.must_change_password,
  created_at: toTimestamp(row.created_at),
  partner_id: row.partner_id,
  metadata: row.metadata
})

export const userOf = (row: UserRow & { readonly partner_name: string }): UserDetail => ({
  ...userListItemOf(row),
  partners: [{ partner_id: row.partner_id, name: row.partner_name }]
})

/**
 * Returns the condition that a user `item` has an e-mail address. For a user stored by an earlier version, the key is
 * that of the earlier version, and the alias is the key of this version.
 */
export const hasAddress = (sql: SqlClient.SqlClient, email: string): Statement.Fragment =>
  sql`(item.email_key in ${sql.in([lowerCaseEmail(email), emailKey(email)])} or item.email_alias = ${emailKey(email)})`

/**
 * Returns the column values of a user's mutable fields, with those for search and sorting, but without the ids of the
 * user's partner, root and region.
 */
export const mutableUserValues = (user: UserListItem) => ({
  group_id: user.group.group_id,
  status: user.status,
  name: user.name,
  name_folded: foldText(user.name),
  email: user.email,
  email_folded: foldText(user.email),
  email_key: emailKey(user.email),
  email_alias: null,
  phone: user.phone,
  must_change_password: user.must_change_password,
  metadata: JSON.stringify(user.metadata)
})

export type MutableUserValues = ReturnType<typeof mutableUserValues>

/** Returns the column values of a user, without the ids of the user's partner, root and region. */
export const userValues = (user: UserListItem) => ({
  ...mutableUserValues(user),
  cpf: user.cpf,
  created_at: user.created_at
})
