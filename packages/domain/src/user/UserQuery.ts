import { type GroupSlug } from "../access/Group.ts"
import { type FoldedText } from "../input/fold.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type UserStatus } from "./UserDetail.ts"

/** The fields by which users can be sorted: all scalar fields of a list item. */
export const userSortFields = [
  "created_at",
  "name",
  "email",
  "phone",
  "cpf",
  "status",
  "must_change_password",
  "user_id",
  "partner_id"
] as const
/** A field by which users can be sorted. */
export type UserSortField = typeof userSortFields[number]

/**
 * A user must match all filters. An absent filter matches every user. A text filter matches any part of the field, in
 * any letter case and with or without accents.
 */
export interface UserFilters {
  readonly full_name?: FoldedText
  /** Consecutive digits of the CPF. */
  readonly cpf?: string
  readonly email?: FoldedText
  readonly partner_id?: PartnerId
  readonly status?: UserStatus
  readonly group?: GroupSlug
  /** Metadata texts by key. The user must have all of them. */
  readonly metadata?: Metadata
}

/** A parsed query for a list of users. */
export type UserQuery = ListQuery<UserFilters, UserSortField>
