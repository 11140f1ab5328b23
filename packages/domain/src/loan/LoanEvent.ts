import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type Customer, type KycValues } from "../kyc/KycValues.ts"
import { type UnlawfulTable } from "../offer/judgeAnswer.ts"
import { type Offer } from "../offer/Offer.ts"
import { type QuoteWish, type Unpriced } from "../offer/Quote.ts"
import { type LenderName, type QuotedLender, type QuoteRouting } from "../offer/QuotePart.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type ApplicationId, type OfferId, type PartnerId, type ProposalId, type QuoteId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type CancellationReason, type FrozenCommission, type SubmissionOrigin } from "./ContractFacts.ts"
import { type Acceptance } from "./Proposal.ts"
import { type Event, type ProposalEvent } from "./ProposalEvent.ts"
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
  /**
   * The lenders of the quote, in the order of the routing. Absent in events recorded before quotes had several lenders.
   */
  readonly lenders?: ReadonlyArray<QuotedLender>
  /** Absent in an installation that was composed with one `Lender`. */
  readonly routing?: QuoteRouting
}

/** A new quote was requested from the lender. All earlier offers are superseded. */
export interface QuoteRequested extends Event<"QuoteRequested"> {
  readonly quote_id: QuoteId
  readonly wish: QuoteWish
  /** The lender's additional requirements for the KYC data. Absent if they are unchanged. */
  readonly requirements?: KycRequirements
  /**
   * The lenders of the quote, in the order of the routing. Absent in events recorded before quotes had several lenders.
   */
  readonly lenders?: ReadonlyArray<QuotedLender>
  /** Absent in an installation that was composed with one `Lender`. */
  readonly routing?: QuoteRouting
}

/** An event that concerns one lender of a quote. `lender` is the code of this lender. */
interface PartEvent<Tag extends string> extends Event<Tag> {
  readonly lender: string
}

/** The next lender of the quote was requested. */
export type LenderAsked = PartEvent<"LenderAsked">

/** The next lender of the quote was skipped, because it no longer gets quote requests. */
export type LenderSkipped = PartEvent<"LenderSkipped">

/** The next request to the lender is after the waiting time for it (QUOTE-15). */
export interface LenderPostponed extends PartEvent<"LenderPostponed"> {
  readonly until: Timestamp
}

/** A lender returned offers. They are available once the quote is completed. */
export interface LenderOffered extends PartEvent<"LenderOffered"> {
  readonly offers: ReadonlyArray<Offer>
  readonly unpriced: ReadonlyArray<Unpriced>
  /** The fee tables whose offers break a rule. `unpriced` contains them, too. */
  readonly unlawful: ReadonlyArray<UnlawfulTable>
  /** The first day on which no other contract of the customer blocks an acceptance. Absent if none blocks it. */
  readonly blocked_until?: CalendarDate
}

/** A lender returned no offer: it rejected the quote, or none of its offers is lawful. */
export interface LenderRejected extends PartEvent<"LenderRejected"> {
  readonly unpriced: ReadonlyArray<Unpriced>
  readonly unlawful: ReadonlyArray<UnlawfulTable>
  readonly rejection: RejectionReason
  /** The first day on which no other contract of the customer blocks an acceptance. Absent if none blocks it. */
  readonly blocked_until?: CalendarDate
}

/** A lender gave no answer in time, or the operator cancelled its job. */
export interface LenderFailed extends PartEvent<"LenderFailed"> {
  readonly rejection: RejectionReason
}

/** The quote has offers. */
export interface QuoteCompleted extends Event<"QuoteCompleted"> {
  readonly offers: ReadonlyArray<Offer>
  readonly unpriced: ReadonlyArray<Unpriced>
  /** The fee tables whose offers break a rule. `unpriced` contains them, too. */
  readonly unlawful: ReadonlyArray<UnlawfulTable>
  /** The first day on which no other contract of the customer blocks an acceptance. Absent if none blocks it. */
  readonly blocked_until?: CalendarDate
}

/** The quote has no offer: the lender rejected it, or none of its offers is lawful. */
export interface QuoteRejected extends Event<"QuoteRejected"> {
  readonly unpriced: ReadonlyArray<Unpriced>
  readonly unlawful: ReadonlyArray<UnlawfulTable>
  readonly rejection: RejectionReason
  /** The first day on which no other contract of the customer blocks an acceptance. Absent if none blocks it. */
  readonly blocked_until?: CalendarDate
}

/** The lender gave no answer to the quote in time, or the operator cancelled its job. */
export interface QuoteFailed extends Event<"QuoteFailed"> {
  readonly rejection: RejectionReason
}

/** KYC data was submitted, in full or in part. */
export interface KycSubmitted extends Event<"KycSubmitted"> {
  readonly kyc: KycValues
}

/** The application was cancelled before an offer was accepted. */
export interface ApplicationCancelled extends Event<"ApplicationCancelled"> {
  readonly reason: CancellationReason
  readonly rejection: RejectionReason
}

/** The customer accepted an offer, which became a proposal. */
export interface OfferAccepted extends Event<"OfferAccepted"> {
  readonly offer_id: OfferId
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly created_by: string
  readonly acceptance: Acceptance
  readonly origin: SubmissionOrigin | null
  /** The frozen commission of the contract. Null if there is none. */
  readonly commission: FrozenCommission | null
  /** The lender of the offer. Absent in an installation that was composed with one `Lender`. */
  readonly lender?: LenderName
}

/**
 * Something that happened to a loan after its application was opened. `evolve` derives the statuses from these events.
 */
export type LoanEvent =
  | ApplicationCancelled
  | KycSubmitted
  | LenderAsked
  | LenderFailed
  | LenderOffered
  | LenderRejected
  | LenderPostponed
  | LenderSkipped
  | OfferAccepted
  | ProposalEvent
  | QuoteCompleted
  | QuoteFailed
  | QuoteRejected
  | QuoteRequested
