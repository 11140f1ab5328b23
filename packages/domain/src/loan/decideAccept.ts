import { Result } from "effect"
import { type NotFound } from "../hierarchy/Scope.ts"
import { judgeFeeKind } from "../offer/judgeLenderOffer.ts"
import { type LenderName } from "../offer/QuotePart.ts"
import { whyNotContractable } from "../offer/whyNotContractable.ts"
import { type Application, findOffer } from "./Application.ts"
import { type AcceptOffer } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { KycIncomplete, OfferNotAvailable } from "./LoanRefusals.ts"
import { offerStatus } from "./OfferStatus.ts"
import { isPledgedAlready, pledgesNextWithdrawal } from "./pledges.ts"
import { lenderOfOffer, missingForOffer } from "./quoteParts.ts"

/**
 * An offer of a stopped lender cannot be accepted. It stays available until it expires, and the next action stays
 * ACCEPT_OFFER: the operator can start the lender again, and its status is a setting, not a fact of the application. A
 * new quote is possible, and does not request the stopped lender.
 *
 * `contracting` are the codes of the lenders whose offers can be accepted. Default: all lenders. An older offer names no
 * lender. It can be accepted unless `contracting` is empty: the caller passes an empty list if the lender is not clear.
 * @rule QUOTE-14
 */
export const isContractedBy = (lender: LenderName | null, contracting: AcceptOffer["contracting"]): boolean => {
  if (contracting === undefined) return true
  return lender === null ? contracting.length > 0 : contracting.includes(lender.code)
}

const refuse = (reason: OfferNotAvailable["reason"]) => Result.fail(new OfferNotAvailable({ reason }))

/**
 * An offer can be accepted if it is available and lawful, the KYC is complete, and no other contract pledges its annual
 * withdrawals. The conditions are checked in this order:
 *
 * 1. The offer is available, belongs to the latest quote and can be contracted (FGTS-55), and its lender accepts
 *    offers.
 * 2. The KYC is complete.
 * 3. The fee is still lawful (FGTS-58).
 * 4. No other proposal of the customer pledges one of the offer's annual withdrawals (FGTS-47), or the next one
 *    (FGTS-61).
 *
 * The other proposals come last, so that a caller that has only a CPF cannot detect them. If a caller cannot see the
 * other proposal, the refusal is the one for an offer that is no longer lawful.
 *
 * At most one offer of an application is ever accepted. Accepting the same offer again changes nothing.
 * @rule FGTS-17
 */
export const decideAcceptOffer = (
  {
    _tag,
    commission = null,
    contracting,
    is_known_customer = false,
    max_monthly_rate,
    max_monthly_rate_above_policy,
    offer_id,
    origin = null,
    pledges,
    ...facts
  }: AcceptOffer,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, NotFound | OfferNotAvailable | KycIncomplete> => {
  const found = findOffer(application, offer_id)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  const { offer, quote } = found.success
  const status = offerStatus(application, quote, offer, facts.at)
  if (status === "ACCEPTED") return Result.succeed([])
  if (status !== "AVAILABLE") return refuse(status)
  const { at } = facts
  const { birth_date } = application.customer
  const reason = whyNotContractable(offer, { at, birth_date, max_monthly_rate, max_monthly_rate_above_policy })
  if (reason !== undefined) return refuse(reason)
  const lender = lenderOfOffer(quote, offer)
  if (!isContractedBy(lender, contracting)) return refuse("LENDER_STOPPED")
  const missing = missingForOffer(application, quote, offer)
  if (missing.length > 0) return Result.fail(new KycIncomplete({ missing }))
  if (judgeFeeKind(offer, is_known_customer) !== undefined) return refuse("POLICY_CHANGED")
  const blocking = pledges.filter((pledge) =>
    isPledgedAlready(offer.terms, pledge) || pledgesNextWithdrawal(pledge, at)
  )
  if (blocking.some(({ is_in_scope }) => is_in_scope)) return refuse("EXISTING_CONTRACT")
  if (blocking.length > 0) return refuse("POLICY_CHANGED")
  const routed = quote.routing === undefined || lender === null ? {} : { lender }
  return Result.succeed([{ _tag: "OfferAccepted", offer_id, origin, commission, ...routed, ...facts }])
}
