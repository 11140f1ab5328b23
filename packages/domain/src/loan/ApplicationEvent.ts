import { type Customer } from "../kyc/Customer.ts"
import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type Offer } from "../offer/Offer.ts"
import { type QuoteWish, type Unpriced } from "../offer/Quote.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type ApplicationId, type OfferId, type PartnerId, type ProposalId, type QuoteId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ContractEvent, type ExitEvent } from "./ContractEvent.ts"
import { type SubmissionOrigin } from "./ContractFacts.ts"
import { type Acceptance } from "./Proposal.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

/** An application was opened, and its first quote was requested. */
export interface ApplicationOpened {
  readonly _tag: "ApplicationOpened"
  readonly at: Timestamp
  readonly application_id: ApplicationId
  readonly external_id: string
  readonly partner_id: PartnerId
  readonly created_by: string
  readonly customer: Customer
  /** Absent if there is none. */
  readonly metadata?: Metadata
  readonly quote_id: QuoteId
  readonly wish: QuoteWish
  /** The lender's additional requirements for the KYC data. Absent if there are none. */
  readonly requirements?: KycRequirements
}

/** An event that can occur after an application was opened. */
export type ApplicationEvent =
  | {
    readonly _tag: "QuoteRequested"
    readonly at: Timestamp
    readonly quote_id: QuoteId
    readonly wish: QuoteWish
    /** The lender's additional requirements for the KYC data. Absent if they are unchanged. */
    readonly requirements?: KycRequirements
  }
  | {
    readonly _tag: "QuoteCompleted"
    readonly at: Timestamp
    readonly offers: ReadonlyArray<Offer>
    readonly unpriced: ReadonlyArray<Unpriced>
  }
  | {
    /**
     * The quote has ended without an offer. REJECTED: the lender rejected it, or none of its offers is valid. FAILED:
     * the lender did not answer.
     */
    readonly _tag: "QuoteRefused"
    readonly at: Timestamp
    readonly outcome: "REJECTED" | "FAILED"
    readonly unpriced: ReadonlyArray<Unpriced>
    readonly rejection: RejectionReason
  }
  | { readonly _tag: "KycSubmitted"; readonly at: Timestamp; readonly kyc: KycValues }
  | {
    readonly _tag: "OfferAccepted"
    readonly at: Timestamp
    readonly offer_id: OfferId
    readonly proposal_id: ProposalId
    readonly number: ProposalNumber
    readonly created_by: string
    readonly acceptance: Acceptance
    readonly origin?: SubmissionOrigin | null
  }
  | ContractEvent
  | ExitEvent
  | {
    /** The disbursement data was corrected, and the payment is retried. */
    readonly _tag: "DisbursementResubmitted"
    readonly at: Timestamp
    readonly kyc: KycValues
  }
