import { Result } from "effect"
import { type Timestamp } from "../../time/Timestamp.ts"
import { isSame } from "../../validation/isSame.ts"
import { type KycValues, noKyc } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { KycIncomplete, KycLocked } from "./ApplicationRefusals.ts"

/** Submits what is known of the customer. */
export interface SubmitKyc {
  readonly _tag: "SubmitKyc"
  readonly at: Timestamp
  /** What was submitted before with the present submission merged into it. */
  readonly kyc: KycValues
  /** Whether the submission says where to pay, be it the same as before. */
  readonly says_where_to_pay: boolean
}

/**
 * KYC may be submitted, again and in parts, until an offer is accepted; then it is locked, but for where to pay while the
 * last payment failed: submitting that again asks for another payment.
 * @rule KYC-02
 */
export const decideSubmitKyc = (
  application: Application,
  { at, kyc, says_where_to_pay }: SubmitKyc
): Result.Result<ReadonlyArray<ApplicationEvent>, KycLocked | KycIncomplete> => {
  const before = application.kyc ?? noKyc
  if (application.proposal === null) {
    return Result.succeed(isSame(before, kyc) ? [] : [{ _tag: "KycSubmitted", at, kyc }])
  }
  if (application.proposal.status !== "DISBURSEMENT_FAILED" || !isSame(identity(before), identity(kyc))) {
    return Result.fail(new KycLocked())
  }
  if (!says_where_to_pay) return Result.succeed([])
  const missing = missingFields(kyc)
  return missing.length > 0
    ? Result.fail(new KycIncomplete({ missing }))
    : Result.succeed([{ _tag: "DisbursementResubmitted", at, kyc }])
}

/** Everything of a KYC but where to pay. */
const identity = ({ bank: _bank, disbursement_method: _method, pix: _pix, ...rest }: KycValues) => rest
