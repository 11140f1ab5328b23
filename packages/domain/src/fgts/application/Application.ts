import { type ApplicationId } from "../../id/ApplicationId.ts"
import { type PartnerId } from "../../id/PartnerId.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Proposal } from "../contract/Proposal.ts"
import { type Customer } from "../kyc/Customer.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type Quote } from "../quote/Quote.ts"

/**
 * An application as it is kept: facts only. Its status, that of its quotes and offers, and what to do next follow from
 * these and the time.
 */
export interface Application {
  readonly application_id: ApplicationId
  /** The consumer's own reference; not unique. */
  readonly external_id: string
  readonly partner_id: PartnerId
  /** The user or API client that opened it. */
  readonly created_by: string
  readonly customer: Customer
  /** In the order of their numbers; never empty. */
  readonly quotes: readonly [Quote, ...ReadonlyArray<Quote>]
  /** What was submitted of the customer; null before anything was. */
  readonly kyc: KycValues | null
  readonly proposal: Proposal | null
  readonly created_at: Timestamp
  /** When the last fact was recorded. */
  readonly updated_at: Timestamp
  /** How many facts were recorded. */
  readonly version: number
}

/** The quote that counts; older ones are superseded. */
export const latestQuote = ({ quotes }: Pick<Application, "quotes">): Quote => quotes.at(-1) ?? quotes[0]

/**
 * Facts are recorded in the order of their times: when the clock was set back, or differs between two nodes, a fact is
 * given the time of the one before it.
 * @rule FGTS-03
 */
export const recordingTime = ({ updated_at }: Pick<Application, "updated_at">, clock: Timestamp): Timestamp =>
  clock < updated_at ? updated_at : clock
