import { Result } from "effect"
import { NotFound } from "../hierarchy/Scope.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { type Offer } from "../offer/Offer.ts"
import { type Quote } from "../offer/Quote.ts"
import { type OfferId, type ProposalId } from "../values/ids.ts"
import { type Percent } from "../values/Percent.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { KycIncomplete, OfferNotAvailable } from "./ApplicationRefusals.ts"
import { type SubmissionOrigin } from "./ContractFacts.ts"
import { isContractable } from "./isContractable.ts"
import { offerStatus } from "./OfferStatus.ts"
import { isPledgedAlready } from "./pledges.ts"
import { type Acceptance } from "./Proposal.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

/** The command to accept an offer. */
export interface AcceptOffer {
  readonly _tag: "AcceptOffer"
  readonly at: Timestamp
  readonly offer_id: OfferId
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly created_by: string
  readonly acceptance: Acceptance
  /** The years of the annual withdrawals that other proposals of the same customer pledge (`pledgedYears`). */
  readonly pledged_years: ReadonlySet<number>
  /** The operator's maximum monthly rate. Default: no maximum. */
  readonly max_monthly_rate?: Percent | null
  /** Absent or null if it is unknown. */
  readonly origin?: SubmissionOrigin | null
}

/** Finds an offer of an application, and the quote that it belongs to. */
export const findOffer = (
  { quotes }: Application,
  offer_id: OfferId
): Result.Result<{ readonly quote: Quote; readonly offer: Offer }, NotFound> => {
  for (const quote of quotes) {
    const offer = quote.offers.find((one) => one.offer_id === offer_id)
    if (offer !== undefined) return Result.succeed({ quote, offer })
  }
  return Result.fail(new NotFound())
}

/**
 * An offer can be accepted if three conditions hold. First, it is available, belongs to the latest quote and can be
 * contracted (FGTS-55). Second, the KYC is complete. Third, no other proposal of the customer pledges one of its annual
 * withdrawals. They are checked in this order, so that a caller that has only a CPF does not learn of another proposal.
 * At most one offer of an application is ever accepted. Accepting the same offer again changes nothing.
 * @rule FGTS-17
 */
export const decideAcceptOffer = (
  application: Application,
  { _tag, max_monthly_rate = null, offer_id, pledged_years, ...facts }: AcceptOffer
): Result.Result<ReadonlyArray<ApplicationEvent>, NotFound | OfferNotAvailable | KycIncomplete> => {
  const found = findOffer(application, offer_id)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const { offer, quote } = found.success
  const status = offerStatus(application, quote, offer, facts.at)
  if (status === "ACCEPTED") return Result.succeed([])
  if (status !== "AVAILABLE") return Result.fail(new OfferNotAvailable({ reason: status }))
  if (!isContractable(offer, facts.at, max_monthly_rate)) {
    return Result.fail(new OfferNotAvailable({ reason: "EXPIRED" }))
  }
  const missing = missingFields(application.kyc ?? emptyKyc, application.requirements)
  if (missing.length > 0) return Result.fail(new KycIncomplete({ missing }))
  return isPledgedAlready(offer.terms, pledged_years)
    ? Result.fail(new OfferNotAvailable({ reason: "EXISTING_CONTRACT" }))
    : Result.succeed([{ _tag: "OfferAccepted", offer_id, ...facts }])
}
