import { Result } from "effect"
import { NotFound } from "../hierarchy/Scope.ts"
import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type Customer, type KycValues } from "../kyc/KycValues.ts"
import { type Offer } from "../offer/Offer.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type Quote } from "../offer/Quote.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type ApplicationId, type OfferId, type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type CancellationReason } from "./ContractFacts.ts"
import { contractOf, type Proposal, rejectionOf } from "./Proposal.ts"

interface ApplicationCancellation {
  readonly reason: CancellationReason
  readonly at: Timestamp
  readonly rejection: RejectionReason
}

/**
 * A loan: an application with its quotes, its KYC and its proposal, as stored. All statuses and the next action are
 * derived from this state and the clock.
 */
export interface Application {
  readonly application_id: ApplicationId
  /** The API consumer's own reference. Not unique. */
  readonly external_id: string
  readonly partner_id: PartnerId
  /** The principal that opened the application: a user id or a `client_id`. */
  readonly created_by: string
  readonly customer: Customer
  /**
   * The API consumer's own fields. No event changes them. A change of them leaves `updated_at` and `version` unchanged.
   */
  readonly metadata: Metadata
  /** In ascending order of quote number. Never empty. */
  readonly quotes: readonly [Quote, ...ReadonlyArray<Quote>]
  /** The submitted KYC; null before the first submission. */
  readonly kyc: KycValues | null
  /** The requirements for the KYC data: of the latest quote, then of the lender of the accepted offer. */
  readonly requirements: KycRequirements
  /** The cancellation before an offer was accepted. Null without one. */
  readonly cancellation: ApplicationCancellation | null
  /** Null until an offer is accepted. */
  readonly proposal: Proposal | null
  /** The time at which the partner was deleted. Null while the partner exists. It is stored with the partner. */
  readonly partner_deleted_at: Timestamp | null
  /**
   * The time at which the customer's personal data was erased (PRIV-03). Null until then. The erasure empties all
   * fields with personal data.
   */
  readonly erased_at: Timestamp | null
  readonly created_at: Timestamp
  /** Time of the last recorded event. */
  readonly updated_at: Timestamp
  /** Number of recorded events. */
  readonly version: number
}

/** Returns the latest quote. Older quotes are superseded. */
export const latestQuote = ({ quotes }: Pick<Application, "quotes">): Quote => quotes.at(-1) ?? quotes[0]

/** Returns an offer of an application, and its quote. Fails with NotFound if the application has no such offer. */
export const findOffer = (
  { quotes }: Pick<Application, "quotes">,
  offer_id: OfferId
): Result.Result<{ readonly quote: Quote; readonly offer: Offer }, NotFound> => {
  for (const quote of quotes) {
    const offer = quote.offers.find((offer) => offer.offer_id === offer_id)
    if (offer !== undefined) return Result.succeed({ quote, offer })
  }
  return Result.fail(new NotFound())
}

/** Returns the accepted offer of an application. Undefined if no offer is accepted. */
export const acceptedOffer = (application: Pick<Application, "proposal" | "quotes">): Offer | undefined =>
  application.proposal === null
    ? undefined
    : Result.getOrUndefined(findOffer(application, application.proposal.offer_id))?.offer

/**
 * Returns the code of the lender of a contract. Null without a contract, and for a contract stored before lenders had
 * codes.
 */
export const lenderOfContract = (application: Pick<Application, "proposal" | "quotes">): string | null =>
  application.proposal?.lender?.code ?? acceptedOffer(application)?.lender ?? null

/**
 * Returns the terms of a contract: the lender's final terms, or those of the accepted offer. Null without a contract.
 */
export const contractTerms = (application: Pick<Application, "proposal" | "quotes">): PricedOffer | null =>
  application.proposal === null
    ? null
    : contractOf(application.proposal)?.terms ?? acceptedOffer(application)?.terms ?? null

/** Returns the reason why there is no offer, why the contract ended, or why the last payment failed. Otherwise null. */
export const currentRejection = (application: Application): RejectionReason | null =>
  application.proposal === null
    ? application.cancellation?.rejection ?? latestQuote(application).rejection
    : rejectionOf(application.proposal)

/**
 * The times of recorded events never decrease. If the clock is behind the previous event, the new event gets the time
 * of the previous event. This happens when a clock is set back, or when the clocks of two nodes differ.
 * @rule FGTS-03
 */
export const recordingTime = ({ updated_at }: Pick<Application, "updated_at">, clock: Timestamp): Timestamp =>
  clock < updated_at ? updated_at : clock
