import { type GroupSlug } from "../access/Group.ts"
import { type FoldedText } from "../input/fold.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type UserStatus } from "./UserDetail.ts"

/** The fields that users can be sorted by: all scalar fields of the list item. */
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
/** A field that users can be sorted by. */
export type UserSortField = typeof userSortFields[number]

/**
 * A user must match all filters. An absent filter does not apply. A text filter matches any part of the field, and
 * ignores letter case and accents.
 */
export interface UserFilters {
  readonly full_name?: FoldedText
  /** Digits that occur together anywhere in the CPF. */
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
