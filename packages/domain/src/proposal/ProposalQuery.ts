import { type Cpf } from "../documents/Cpf.ts"
import { type ProposalStatus } from "../fgts/contract/Proposal.ts"
import { type PartnerId } from "../id/ids.ts"
import { type FoldedText } from "../paging/fold.ts"
import { type ListQuery } from "../paging/ListQuery.ts"
import { type Timestamp } from "../time/Timestamp.ts"

/** The fields that proposals can be sorted by. */
export const proposalSortFields = ["created_at", "updated_at", "status", "net_amount"] as const
/** A field that proposals can be sorted by. */
export type ProposalSortField = typeof proposalSortFields[number]

/** Filters, combined with AND. Absent filters do not apply. */
export interface ProposalFilters {
  readonly cpf?: Cpf
  /** Folded. Matches any part of the folded name. */
  readonly customer_name?: FoldedText
  /** Matches whole. */
  readonly external_id?: string
  readonly status?: ProposalStatus
  readonly partner_id?: PartnerId
  /** Inclusive. */
  readonly created_from?: Timestamp
  /** Exclusive. */
  readonly created_to?: Timestamp
  /** Inclusive. */
  readonly updated_from?: Timestamp
  /** Exclusive. */
  readonly updated_to?: Timestamp
}

/** A normalised query for proposals. */
export type ProposalQuery = ListQuery<ProposalFilters, ProposalSortField>
