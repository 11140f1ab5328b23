import { type PartnerId } from "../id/PartnerId.ts"
import { type GroupSlug } from "../identity/Group.ts"
import { type Folded } from "../paging/fold.ts"
import { type ListQuery } from "../paging/ListQuery.ts"
import { type UserStatus } from "./UserDetail.ts"

/** The fields that users can be sorted by: every scalar field of the list item. */
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

/** Filters combine with AND; an absent one does not filter. Texts are folded and match anywhere in the folded field. */
export interface UserFilters {
  readonly full_name?: Folded
  /** Digits only, matches anywhere. */
  readonly cpf?: string
  readonly email?: Folded
  readonly partner_id?: PartnerId
  readonly status?: UserStatus
  readonly group?: GroupSlug
}

/** A normalised query for users. */
export type UserQuery = ListQuery<UserFilters, UserSortField>
