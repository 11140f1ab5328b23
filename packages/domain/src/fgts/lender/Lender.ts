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
  /** The cause, for the log. Without personal data. */
  readonly detail: string
}> {}

/** A quote request to the lender. */
export interface LenderQuoteRequest {
  readonly application_id: ApplicationId
  readonly quote_id: QuoteId
  /** The number of the quote within its application. */
  readonly number: number
  /** From 1: number of this attempt. */
  readonly attempt: number
  readonly requested_at: Timestamp
  readonly customer: Customer
  /** The release day, in America/Sao_Paulo. */
  readonly released_on: CalendarDate
  /** The policy of that day. */
  readonly policy: FgtsPolicy
  readonly wish: QuoteWish
}

/** The lender's offer of one fee table. */
export interface LenderOffer {
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** The end of its validity; null if the lender states none. */
  readonly valid_until: Timestamp | null
}

/** The answer to a quote: the offers and refusals of the fee tables, or one rejection for all. */
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
  /** The lender's reference, used in later calls. A new payment attempt may change it. Without personal data. */
  readonly reference: string
  readonly status: Exclude<ProposalStatus, "SUBMITTING">
  /** The signature link; null while there is nothing to sign. */
  readonly signature_url: string | null
  /** The reason of a cancellation, a rejection or a failed payment. */
  readonly rejection: RejectionReason | null
  /** From 1: the payment attempt of this status. */
  readonly disbursement_attempt: number
}

/** A request to retry a failed payment. */
export interface DisbursementResubmission {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly disbursement: Disbursement
  /** The idempotency key of the payment, together with the contract. */
  readonly disbursement_attempt: number
  readonly requested_at: Timestamp
}

/**
 * The lender, and CAIXA behind it. No call is made inside a database transaction. A business refusal is an answer;
 * {@link LenderUnavailable} means that there is no answer.
 */
export class Lender extends Context.Service<Lender, {
  /** Prices all fee tables. A table without an offer does not affect the others. */
  readonly quote: (request: LenderQuoteRequest) => Effect.Effect<LenderQuotation, LenderUnavailable>
  /** Creates the contract. Idempotent by `proposal_id`. */
  readonly submit: (submission: ContractSubmission) => Effect.Effect<LenderContract, LenderUnavailable>
  /** Returns the present state of the contract. */
  readonly contract: (reference: string) => Effect.Effect<LenderContract, LenderUnavailable>
  /** Retries the payment with new disbursement data. Idempotent by `disbursement_attempt`. */
  readonly resubmit: (resubmission: DisbursementResubmission) => Effect.Effect<LenderContract, LenderUnavailable>
}>()("@lastro/domain/fgts/lender/Lender") {}
