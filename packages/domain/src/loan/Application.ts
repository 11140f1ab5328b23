import { type Customer } from "../kyc/Customer.ts"
import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type Quote } from "../offer/Quote.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type ApplicationId, type PartnerId } from "../values/ids.ts"
import { type Metadata } from "../values/Metadata.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type CancellationReason } from "./ContractFacts.ts"
import { type Proposal } from "./Proposal.ts"

/** The cancellation of an application before an offer was accepted. */
interface ApplicationCancellation {
  readonly reason: CancellationReason
  readonly at: Timestamp
  readonly rejection: RejectionReason
}

/**
 * The stored state of an application. The statuses of the application, its quotes and its offers, and the next action,
 * are derived from this state and the clock.
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
   * The API consumer's own fields. They are not part of the state: no event changes them, and a change of them leaves
   * `updated_at` and `version` unchanged.
   */
  readonly metadata: Metadata
  /** In ascending order of quote number. Never empty. */
  readonly quotes: readonly [Quote, ...ReadonlyArray<Quote>]
  /** The submitted KYC; null before the first submission. */
  readonly kyc: KycValues | null
  readonly proposal: Proposal | null
  /** The lender's additional requirements for the KYC data, as of the latest quote. Absent if none were recorded. */
  readonly requirements?: KycRequirements
  /**
   * The time at which the partner was deleted; absent while the partner exists. It is a fact of the partner, and is
   * read with the application.
   */
  readonly partner_deleted_at?: Timestamp
  /** Absent or null unless the application was cancelled before an offer was accepted. */
  readonly cancellation?: ApplicationCancellation | null
  /**
   * The time at which the customer's personal data was erased (PRIV-03). Absent until then. The fields with personal
   * data of an erased application are empty.
   */
  readonly erased_at?: Timestamp
  readonly created_at: Timestamp
  /** Time of the last recorded event. */
  readonly updated_at: Timestamp
  /** Number of recorded events. */
  readonly version: number
}

/** Returns the latest quote. Older quotes are superseded. */
export const latestQuote = ({ quotes }: Pick<Application, "quotes">): Quote => quotes.at(-1) ?? quotes[0]

/**
 * The times of recorded events never decrease. If the clock is behind the previous event, the new event gets the time
 * of the previous event. This happens when a clock is set back, or when the clocks of two nodes differ.
 * @rule FGTS-03
 */
export const recordingTime = ({ updated_at }: Pick<Application, "updated_at">, clock: Timestamp): Timestamp =>
  clock < updated_at ? updated_at : clock
