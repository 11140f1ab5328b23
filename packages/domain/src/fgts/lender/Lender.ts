import { Context, Data, type Effect } from "effect"
import { type ApplicationId, type ProposalId, type QuoteId } from "../../id/ids.ts"
import { type CalendarDate } from "../../time/CalendarDate.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type ProposalStatus } from "../contract/Proposal.ts"
import { type Customer } from "../kyc/Customer.ts"
import { type Disbursement } from "../kyc/Disbursement.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type FgtsPolicy } from "../policy/Policy.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"
import { type FeeTable, type Offer } from "../quote/Offer.ts"
import { type QuoteWish, type Unpriced } from "../quote/Quote.ts"
import { type RejectionReason } from "../quote/RejectionReason.ts"

/** The lender gave no usable answer. The outcome of the call is unknown. */
export class LenderUnavailable extends Data.TaggedError("LenderUnavailable")<{
  /** ASKED: the call failed, or its answer breaks the protocol. WITHHELD: the call was not made, because the circuit breaker is open. */
  readonly reason: "ASKED" | "WITHHELD"
  /** The cause, for the log. It must not contain personal data. */
  readonly detail: string
}> {}

/** A quote request to the lender. */
export interface LenderQuoteRequest {
  readonly application_id: ApplicationId
  readonly quote_id: QuoteId
  /** The number of the quote within its application. */
  readonly number: number
  /** Number of this attempt, starting at 1. */
  readonly attempt: number
  readonly requested_at: Timestamp
  readonly customer: Customer
  /** The release day, in America/Sao_Paulo. */
  readonly released_on: CalendarDate
  /** The policy of the release day. */
  readonly policy: FgtsPolicy
  readonly wish: QuoteWish
}

/** An offer of the lender, priced with one fee table. */
export interface LenderOffer {
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The time at which the offer expires; null if the lender sets no such time. */
  readonly valid_until: Timestamp | null
}

/** The lender's answer to a quote: an offer or a rejection for each fee table, or one rejection of the whole quote. */
export type LenderQuotation =
  | { readonly kind: "PRICED"; readonly offers: ReadonlyArray<LenderOffer>; readonly unpriced: ReadonlyArray<Unpriced> }
  | { readonly kind: "REFUSED"; readonly rejection: RejectionReason }

/** The submission of a contract to the lender. */
export interface ContractSubmission {
  /** The idempotency key of the contract. */
  readonly proposal_id: ProposalId
  readonly application_id: ApplicationId
  readonly accepted_at: Timestamp
  readonly offer: Offer
  readonly customer: Customer
  readonly kyc: KycValues
  readonly disbursement: Disbursement
}

/** The state of a contract at the lender. */
export interface LenderContract {
  /**
   * The lender's reference for the contract, used in later calls. It is unique: no other proposal has it. A new payment attempt may change it.
   * It must not contain personal data.
   */
  readonly reference: string
  readonly status: Exclude<ProposalStatus, "SUBMITTING">
  /** The signature link; null while there is nothing to sign. */
  readonly signature_url: string | null
  /** The reason for a cancellation, a rejection or a failed payment; otherwise null. */
  readonly rejection: RejectionReason | null
  /** Number of the payment attempt that this status refers to, starting at 1. */
  readonly disbursement_attempt: number
}

/** A request to retry a failed payment. */
export interface DisbursementResubmission {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly disbursement: Disbursement
  /** Number of the new payment attempt. Together with `proposal_id`, it is the idempotency key of the payment. */
  readonly disbursement_attempt: number
  readonly requested_at: Timestamp
}

/**
 * The port to the lender, which in turn calls CAIXA. It is never called inside a database transaction. A business rejection is an answer.
 * {@link LenderUnavailable} means that there is no answer.
 */
export class Lender extends Context.Service<Lender, {
  /** Requests a quote for all fee tables. A fee table without an offer does not affect the others. */
  readonly quote: (request: LenderQuoteRequest) => Effect.Effect<LenderQuotation, LenderUnavailable>
  /** Creates the contract. Idempotent by `proposal_id`. */
  readonly submit: (submission: ContractSubmission) => Effect.Effect<LenderContract, LenderUnavailable>
  /** Returns the current state of the contract. */
  readonly contract: (reference: string) => Effect.Effect<LenderContract, LenderUnavailable>
  /** Retries the payment with new disbursement data. Idempotent by `proposal_id` and `disbursement_attempt`. */
  readonly resubmit: (resubmission: DisbursementResubmission) => Effect.Effect<LenderContract, LenderUnavailable>
}>()("@lastro/domain/fgts/lender/Lender") {}
