import { type ApplicationId, type PartnerId } from "../../id/ids.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { type Customer } from "../kyc/Customer.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type Quote } from "../quote/Quote.ts"

/**
 * The stored facts of an application. The status of the application, its quotes and its offers, and the next action, are derived from
 * these facts and the clock.
 */
export interface Application {
  readonly application_id: ApplicationId
  /** The consumer's reference. Not unique. */
  readonly external_id: string
  readonly partner_id: PartnerId
  /** The principal that opened it: user id or `client_id`. */
  readonly created_by: string
  readonly customer: Customer
  /** In the order of their numbers. Never empty. */
  readonly quotes: readonly [Quote, ...ReadonlyArray<Quote>]
  /** The submitted KYC; null before the first submission. */
  readonly kyc: KycValues | null
  readonly proposal: Proposal | null
  readonly created_at: Timestamp
  /** Time of the last recorded fact. */
  readonly updated_at: Timestamp
  /** Number of recorded facts. */
  readonly version: number
}

/** Returns the latest quote. Older quotes are superseded. */
export const latestQuote = ({ quotes }: Pick<Application, "quotes">): Quote => quotes.at(-1) ?? quotes[0]

/**
 * The times of recorded facts never decrease. If the clock was set back, or differs between two nodes, a fact gets the time of the
 * previous fact.
 * @rule FGTS-03
 */
export const recordingTime = ({ updated_at }: Pick<Application, "updated_at">, clock: Timestamp): Timestamp =>
  clock < updated_at ? updated_at : clock
