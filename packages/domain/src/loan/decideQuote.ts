import { Result } from "effect"
import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type FinalQuotation } from "../offer/LenderOffer.ts"
import { mostHopeful } from "../offer/mostHopeful.ts"
import { type QuoteWish, type Unpriced } from "../offer/Quote.ts"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { isRetryable, type RejectionReason } from "../offer/RejectionReason.ts"
import { type OfferId, type QuoteId } from "../values/ids.ts"
import { type Percent } from "../values/Percent.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { ApplicationNotQuotable, QuoteInProgress } from "./ApplicationRefusals.ts"
import { applicationStatus } from "./ApplicationStatus.ts"
import { checkOffers } from "./checkOffers.ts"

/** Maximum number of quotes of an application. Every quote is stored. */
export const maxQuotes = 100

/** The command to request a new quote. */
export interface RequestQuote {
  readonly _tag: "RequestQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly wish: QuoteWish
  /** The lender's current additional requirements for the KYC data. Absent: the application keeps the recorded ones. */
  readonly requirements?: KycRequirements
}

/** The command to record the result of a quote: the lender's answer, or a failure if the lender was unreachable. */
export interface RecordQuote {
  readonly _tag: "RecordQuote"
  readonly at: Timestamp
  readonly quote_id: QuoteId
  readonly result: FinalQuotation | { readonly kind: "FAILED"; readonly rejection: RejectionReason }
  /** One id for each offer. */
  readonly offer_ids: ReadonlyArray<OfferId>
  /** The operator's maximum monthly rate. Default: no maximum. */
  readonly max_monthly_rate?: Percent | null
}

/**
 * An application of a deleted partner gets no new quote, because the quote would be unfinished work of a partner that
 * no longer exists. An offer that was made before the partner was deleted can still be accepted until it expires.
 * @rule FGTS-48
 */
export const hasPartner = ({ partner_deleted_at }: Application): boolean => partner_deleted_at === undefined

/**
 * A new quote can be requested until an offer is accepted: while offers are available, after they have expired, after a
 * failed quote, and after a retryable rejection. An application has at most 100 quotes. The application of a deleted
 * partner cannot be quoted again.
 * @rule FGTS-11
 */
export const isQuotable = (application: Application, at: Timestamp): boolean => {
  const { number, rejection } = latestQuote(application)
  if (number >= maxQuotes || !hasPartner(application)) return false
  switch (applicationStatus(application, at)) {
    case "QUOTED":
    case "EXPIRED":
    case "QUOTE_FAILED":
      return true
    case "REJECTED":
      return rejection !== null && isRetryable(rejection, at)
    case "QUOTING":
    case "CONTRACTING":
    case "CONTRACTED":
    case "REFUNDING":
    case "CANCELLED":
      return false
  }
}

/**
 * A new quote supersedes the previous quote and all offers of that quote atomically. While a quote is pending, no other
 * quote can be requested.
 * @rule FGTS-12
 */
export const decideRequestQuote = (
  application: Application,
  { _tag, ...request }: RequestQuote
): Result.Result<ReadonlyArray<ApplicationEvent>, QuoteInProgress | ApplicationNotQuotable> => {
  if (applicationStatus(application, request.at) === "QUOTING") return Result.fail(new QuoteInProgress())
  return isQuotable(application, request.at)
    ? Result.succeed([{ _tag: "QuoteRequested", ...request }])
    : Result.fail(new ApplicationNotQuotable())
}

/**
 * The result of a quote that is no longer pending, or no longer the latest, is ignored. A late result never makes
 * superseded offers available again.
 * @rule FGTS-13
 */
export const decideRecordQuote = (
  application: Application,
  command: RecordQuote
): ReadonlyArray<ApplicationEvent> => {
  const { at, offer_ids, quote_id, result } = command
  const quote = latestQuote(application)
  if (quote.quote_id !== quote_id || quote.outcome !== "PENDING") return []
  if (result.kind !== "PRICED") {
    const outcome = result.kind === "FAILED" ? "FAILED" : "REJECTED"
    return [{ _tag: "QuoteRefused", at, outcome, rejection: result.rejection, unpriced: [] }]
  }
  const { offers, unpriced } = checkOffers(application, command, offer_ids)
  return offers.length > 0
    ? [{ _tag: "QuoteCompleted", at, offers, unpriced }]
    : [{ _tag: "QuoteRefused", at, outcome: "REJECTED", rejection: rejectionWithoutOffers(unpriced), unpriced }]
}

/** Returns the rejection of a quote without offers, chosen from the rejections of its fee tables. */
const rejectionWithoutOffers = (unpriced: ReadonlyArray<Unpriced>): RejectionReason =>
  mostHopeful(unpriced.map(({ rejection }) => rejection)) ?? rejectionByLastro("NO_TABLE")
