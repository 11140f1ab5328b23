import { type FoldedText } from "../input/fold.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { type PlaceFilters } from "../loan/LoanPlace.ts"
import { type ProposalStatus } from "../loan/Proposal.ts"
import { type ProposalNumber } from "../loan/ProposalNumber.ts"
import { type RejectionCode } from "../offer/RejectionReason.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"

/** The fields by which applications can be sorted. */
export const applicationSortFields = ["created_at", "updated_at"] as const
/** A field by which applications can be sorted. */
export type ApplicationSortField = typeof applicationSortFields[number]

/**
 * An application must match all filters. An absent filter matches every application. Statuses and next actions are
 * those at the time of the query.
 */
export interface ApplicationFilters extends PlaceFilters {
  /** The exact external id is one of these. */
  readonly external_id?: ReadonlyArray<string>
  /** The customer's CPF. */
  readonly cpf?: Cpf
  /** The code of the current rejection. */
  readonly rejection_code?: RejectionCode
  readonly partner_id?: PartnerId
  /** The principal that opened the application. */
  readonly created_by?: string
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
  /** Earliest time at which the last available offer expires, inclusive. */
  readonly expires_from?: Timestamp
  /** Latest time at which the last available offer expires, exclusive. */
  readonly expires_to?: Timestamp
  /** Earliest `retry_at` of the rejection, inclusive. */
  readonly retry_from?: Timestamp
  /** Latest `retry_at` of the rejection, exclusive. */
  readonly retry_to?: Timestamp
}

/**
 * A filter by the expiry of offers matches only applications with the status QUOTED, and a filter by `retry_at` only
 * those with the status REJECTED. Returns the statuses that can match. Undefined means all statuses.
 * @rule FGTS-78
 */
export const statusesFor = (
  { expires_from, expires_to, retry_from, retry_to, status }: ApplicationFilters
): ReadonlyArray<ApplicationStatus> | undefined => {
  const needsQuoted = expires_from !== undefined || expires_to !== undefined
  const needsRejected = retry_from !== undefined || retry_to !== undefined
  if (!needsQuoted && !needsRejected) return status
  if (needsQuoted && needsRejected) return []
  const only = needsQuoted ? "QUOTED" : "REJECTED"
  return status === undefined || status.includes(only) ? [only] : []
}

/** A parsed query for a list of applications. */
export interface ApplicationQuery extends ListQuery<ApplicationFilters, ApplicationSortField> {
  /** The time at which the statuses are derived. */
  readonly at: Timestamp
}

/** The fields by which proposals can be sorted. */
export const proposalSortFields = ["created_at", "updated_at", "status", "net_amount", "paid_at"] as const
/** A field by which proposals can be sorted. */
export type ProposalSortField = typeof proposalSortFields[number]

/** A proposal must match all filters. An absent filter matches every proposal. */
export interface ProposalFilters {
  readonly cpf?: Cpf
  /** A text that the customer's name contains, in any letter case and with or without accents. */
  readonly customer_name?: FoldedText
  /** The exact external id is one of these. */
  readonly external_id?: ReadonlyArray<string>
  /** The status is one of these. */
  readonly status?: ReadonlyArray<ProposalStatus>
  readonly partner_id?: PartnerId
  /** The principal that accepted the offer. */
  readonly created_by?: string
  readonly number?: ProposalNumber
  /** The name of the contract's lender. */
  readonly lender?: string
  /** The code of the lender's fee table. */
  readonly table?: string
  /** Earliest time of creation, inclusive. */
  readonly created_from?: Timestamp
  /** Latest time of creation, exclusive. */
  readonly created_to?: Timestamp
  /** Earliest time of the last change, inclusive. */
  readonly updated_from?: Timestamp
  /** Latest time of the last change, exclusive. */
  readonly updated_to?: Timestamp
  /** Earliest time of the payment, inclusive. */
  readonly paid_from?: Timestamp
  /** Latest time of the payment, exclusive. */
  readonly paid_to?: Timestamp
}

/** For these sort fields, proposals without a value come last in both directions. */
export const proposalNullsLast: ReadonlyArray<ProposalSortField> = ["paid_at"]

/** A parsed query for a list of proposals. */
export type ProposalQuery = ListQuery<ProposalFilters, ProposalSortField>
