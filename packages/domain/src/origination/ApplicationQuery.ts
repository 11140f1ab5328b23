import { type FoldedText } from "../input/fold.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { type ProposalStatus } from "../loan/Proposal.ts"
import { type RejectionCode } from "../offer/RejectionReason.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The fields that applications can be sorted by. */
export const applicationSortFields = ["created_at", "updated_at"] as const
/** A field that applications can be sorted by. */
export type ApplicationSortField = typeof applicationSortFields[number]

/** An application must match all filters. An absent filter does not apply. */
export interface ApplicationFilters {
  /** The exact external id. */
  readonly external_id?: string
  /** The customer's CPF. */
  readonly cpf?: Cpf
  /** The status at the time of the query. */
  readonly status?: ApplicationStatus
  /** The code of the current rejection. */
  readonly rejection_code?: RejectionCode
  readonly partner_id?: PartnerId
  /** Metadata texts by key. The application must have all of them. */
  readonly metadata?: Metadata
  /** Earliest time of creation, inclusive. */
  readonly created_from?: Timestamp
  /** Latest time of creation, exclusive. */
  readonly created_to?: Timestamp
  /** Earliest time of the last event, inclusive. */
  readonly updated_from?: Timestamp
  /** Latest time of the last event, exclusive. */
  readonly updated_to?: Timestamp
}

/** A parsed query for a list of applications. */
export interface ApplicationQuery extends ListQuery<ApplicationFilters, ApplicationSortField> {
  /** The time at which the statuses are derived. */
  readonly at: Timestamp
}

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
