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
  /** Folded text that occurs anywhere in the customer's folded name. */
  readonly customer_name?: FoldedText
  /** The external id. It must be equal to that of the proposal. */
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
