import { type FoldedText } from "../input/fold.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type PersonType } from "../values/DocumentNumber.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type PartnerStatus } from "./PartnerDetail.ts"

/** The fields by which partners can be sorted. */
export const partnerSortFields = ["created_at", "name", "document_number", "email", "status"] as const
/** A field by which partners can be sorted. */
export type PartnerSortField = typeof partnerSortFields[number]

/**
 * A partner must match all filters. An absent filter matches every partner. A text filter matches any part of the
 * field, in any letter case and with or without accents.
 */
export interface PartnerFilters {
  readonly name?: FoldedText
  readonly email?: FoldedText
  /** Consecutive digits and letters of the document number. */
  readonly document_number?: string
  readonly person_type?: PersonType
  readonly status?: PartnerStatus
  /** Matches only the direct children of this partner. */
  readonly parent_id?: PartnerId
  /** Metadata texts by key. The partner must have all of them. */
  readonly metadata?: Metadata
}

/** A parsed query for a list of partners. */
export type PartnerQuery = ListQuery<PartnerFilters, PartnerSortField>
