import { type HeldPartner, type HeldUser } from "@lastro/domain/privacy"
import { toNullableTimestamp } from "../database/timestamps.ts"
import { partnerColumns, partnerOf, type PartnerRow } from "../partner/partnerRow.ts"
import { userColumns, userListItemOf, type UserRow } from "../user/userRow.ts"

interface Deletable {
  readonly deleted_at: Date | null
}

/** A row of a user, who may already be deleted. */
export type HeldUserRow = UserRow & Deletable

/** A row of a partner, which may already be deleted. */
export type HeldPartnerRow = PartnerRow & Deletable

/** The columns of a {@link HeldUserRow}. The table alias is `item`. */
export const heldUserColumns = `${userColumns}, item.deleted_at`

/** The columns of a {@link HeldPartnerRow}. The table alias is `item`. */
export const heldPartnerColumns = `${partnerColumns}, item.deleted_at`

/** Converts a row to a user. */
export const heldUserOf = (row: HeldUserRow): HeldUser => ({
  user: userListItemOf(row),
  deleted_at: toNullableTimestamp(row.deleted_at)
})

/** Converts a row to a partner. */
export const heldPartnerOf = (row: HeldPartnerRow): HeldPartner => ({
  partner: partnerOf(row),
  deleted_at: toNullableTimestamp(row.deleted_at)
})
