import { Result } from "effect"
import { type NotFound } from "../hierarchy/Scope.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { judgeFeeKind } from "../offer/judgeLenderOffer.ts"
import { whyNotContractable } from "../offer/whyNotContractable.ts"
import { type Application, findOffer } from "./Application.ts"
import { type AcceptOffer } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { KycIncomplete, OfferNotAvailable } from "./LoanRefusals.ts"
import { offerStatus } from "./OfferStatus.ts"
import { isPledgedAlready } from "./pledges.ts"

/**
 * An offer can be accepted if four conditions hold. First, it is available, belongs to the latest quote and can be
 * contracted (FGTS-55). Second, the KYC is complete. Third, its fee is still lawful (FGTS-58). Fourth, no other proposal
 * of the customer pledges one of its annual withdrawals. They are checked in this order, so that a caller that has only
 * a CPF does not learn of another proposal.
 * At most one offer of an application is ever accepted. Accepting the same offer again changes nothing.
 * @rule FGTS-17
 */
export const decideAcceptOffer = (
  {
    _tag,
    is_known_customer = false,
    max_monthly_rate,
    max_monthly_rate_above_policy,
    offer_id,
    origin = null,
    pledged_years,
    ...facts
  }: AcceptOffer,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, NotFound | OfferNotAvailable | KycIncomplete> => {
  const found = findOffer(application, offer_id)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const { offer, quote } = found.success
  const status = offerStatus(application, quote, offer, facts.at)
  if (status === "ACCEPTED") return Result.succeed([])
  if (status !== "AVAILABLE") return Result.fail(new OfferNotAvailable({ reason: status }))
  const { at } = facts
  const { birth_date } = application.customer
  const reason = whyNotContractable(offer, { at, birth_date, max_monthly_rate, max_monthly_rate_above_policy })
  if (reason !== undefined) return Result.fail(new OfferNotAvailable({ reason }))
  const missing = missingFields(application.kyc ?? emptyKyc, application.requirements)
  if (missing.length > 0) return Result.fail(new KycIncomplete({ missing }))
  if (judgeFeeKind(offer, is_known_customer) !== undefined) {
    return Result.fail(new OfferNotAvailable({ reason: "POLICY_CHANGED" }))
  }
  return isPledgedAlready(offer.terms, pledged_years)
    ? Result.fail(new OfferNotAvailable({ reason: "EXISTING_CONTRACT" }))
    : Result.succeed([{ _tag: "OfferAccepted", offer_id, origin, ...facts }])
}
