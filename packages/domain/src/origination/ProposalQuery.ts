import { type FoldedText } from "../input/fold.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type ProposalStatus } from "../loan/Proposal.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The fields that proposals can be sorted by. */
export const proposalSortFields = ["created_at", "updated_at", "status", "net_amount"] as const
/** A field that proposals can be sorted by. */
export type ProposalSortField = typeof proposalSortFields[number]

/** A proposal must match all filters. An absent filter does not apply. */
export interface ProposalFilters {
  readonly cpf?: Cpf
  /** A text that occurs anywhere in the customer's name, ignoring letter case and accents. */
  readonly customer_name?: FoldedText
  /** The exact external id. */
  readonly external_id?: string
  readonly status?: ProposalStatus
  readonly partner_id?: PartnerId
  /** Earliest time of creation, inclusive. */
  readonly created_from?: Timestamp
  /** Latest time of creation, exclusive. */
  readonly created_to?: Timestamp
  /** Earliest time of the last change, inclusive. */
  readonly updated_from?: Timestamp
  /** Latest time of the last change, exclusive. */
  readonly updated_to?: Timestamp
}

/** A parsed query for a list of proposals. */
export type ProposalQuery = ListQuery<ProposalFilters, ProposalSortField>
