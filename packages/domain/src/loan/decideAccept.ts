import { Result } from "effect"
import { type NotFound } from "../hierarchy/Scope.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { isContractable } from "../offer/isContractable.ts"
import { type Application, findOffer } from "./Application.ts"
import { type AcceptOffer } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { KycIncomplete, OfferNotAvailable } from "./LoanRefusals.ts"
import { offerStatus } from "./OfferStatus.ts"
import { isPledgedAlready, pledgesNextWithdrawal } from "./pledges.ts"

/**
 * An offer can be accepted if three conditions hold. First, it is available, belongs to the latest quote and can be
 * contracted (FGTS-55). Second, the KYC is complete. Third, no other proposal of the customer pledges one of its annual
 * withdrawals (FGTS-47) or the next one (FGTS-61). They are checked in this order, so that a caller that has only a CPF
 * does not learn of another proposal. The refusal names another proposal only to a caller that may see it. At most one
 * offer of an application is ever accepted. Accepting the same offer again changes nothing.
 * @rule FGTS-17
 */
export const decideAcceptOffer = (
  { _tag, max_monthly_rate = null, offer_id, origin = null, pledges, ...facts }: AcceptOffer,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, NotFound | OfferNotAvailable | KycIncomplete> => {
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
  const blocking = pledges.filter((pledge) =>
    isPledgedAlready(offer.terms, pledge) || pledgesNextWithdrawal(pledge, facts.at)
  )
  if (blocking.length === 0) return Result.succeed([{ _tag: "OfferAccepted", offer_id, origin, ...facts }])
  const reason = blocking.some(({ is_in_scope }) => is_in_scope) ? "EXISTING_CONTRACT" : "UNDISCLOSED"
  return Result.fail(new OfferNotAvailable({ reason }))
}
