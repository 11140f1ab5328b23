import { Context, Data, type Effect } from "effect"
import { type ApplicationId } from "../../id/ApplicationId.ts"
import { type ProposalId } from "../../id/ProposalId.ts"
import { type QuoteId } from "../../id/QuoteId.ts"
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

/** The lender gave no usable answer. Whether it did what it was asked for is not known. */
export class LenderUnavailable extends Data.TaggedError("LenderUnavailable")<{
  /**
   * ASKED: it was asked and did not answer, or not what was agreed on. WITHHELD: it was not even asked, because it has
   * been failing.
   */
  readonly reason: "ASKED" | "WITHHELD"
  /** What happened, for the log: no personal data. */
  readonly detail: string
}> {}

/** What a lender is asked to price. */
export interface LenderQuoteRequest {
  readonly application_id: ApplicationId
  readonly quote_id: QuoteId
  /** The number of the quote within its application. */
  readonly number: number
  /** From 1: how often the lender has been asked for this quote. */
  readonly attempt: number
  readonly requested_at: Timestamp
  readonly customer: Customer
  /** The day, in America/Sao_Paulo, that is priced for. */
  readonly released_on: CalendarDate
  /** The policy of that day. */
  readonly policy: FgtsPolicy
  readonly wish: QuoteWish
}

/** A table's offer as the lender gives it. */
export interface LenderOffer {
  readonly table: FeeTable
  readonly terms: PricedOffer
  /** When the lender no longer stands by it; null where it does not say. */
  readonly valid_until: Timestamp | null
}

/** What a lender answers to a quote: what each of its tables gives, or one refusal for all. */
export type LenderQuotation =
  | { readonly kind: "PRICED"; readonly offers: ReadonlyArray<LenderOffer>; readonly unpriced: ReadonlyArray<Unpriced> }
  | { readonly kind: "REFUSED"; readonly rejection: RejectionReason }

/** A contract that a lender is asked to make. */
export interface ContractSubmission {
  /** Names the contract: the same one again is the same contract. */
  readonly proposal_id: ProposalId
  readonly application_id: ApplicationId
  readonly accepted_at: Timestamp
  readonly offer: Offer
  readonly customer: Customer
  readonly kyc: KycValues
  readonly disbursement: Disbursement
}

/** How a contract stands with the lender. */
export interface LenderContract {
  /** What the lender calls it, and is asked by from then on; another payment may change it. Nothing personal. */
  readonly reference: string
  readonly status: Exclude<ProposalStatus, "SUBMITTING">
  /** Where the customer signs; null where there is nothing to sign yet, or any more. */
  readonly signature_url: string | null
  /** Why it was cancelled or rejected, or why paying failed. */
  readonly rejection: RejectionReason | null
  /** From 1: which of the payments asked for this tells of. */
  readonly disbursement_attempt: number
}

/** A payment that a lender is asked to try again. */
export interface DisbursementResubmission {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly disbursement: Disbursement
  /** Names the payment: the same one again is the same payment. */
  readonly disbursement_attempt: number
  readonly requested_at: Timestamp
}

/**
 * The lender, and through it CAIXA. No call holds a transaction. A refusal for reasons of business is an answer;
 * {@link LenderUnavailable} is the absence of one.
 */
export class Lender extends Context.Service<Lender, {
  /** Prices every table at once; a table that cannot be priced does not spoil the others. */
  readonly quote: (request: LenderQuoteRequest) => Effect.Effect<LenderQuotation, LenderUnavailable>
  /** Makes the contract, once for each `proposal_id` however often it is called. */
  readonly submit: (submission: ContractSubmission) => Effect.Effect<LenderContract, LenderUnavailable>
  /** How the contract stands now. */
  readonly contract: (reference: string) => Effect.Effect<LenderContract, LenderUnavailable>
  /** Pays to another account, once for each `disbursement_attempt` however often it is called. */
  readonly resubmit: (resubmission: DisbursementResubmission) => Effect.Effect<LenderContract, LenderUnavailable>
}>()("@lastro/domain/fgts/lender/Lender") {}
