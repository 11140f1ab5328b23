import { Result } from "effect"
import { type Timestamp } from "../../time/Timestamp.ts"
import { isSame } from "../../validation/json.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { KycIncomplete, KycLocked } from "./ApplicationRefusals.ts"

/** The command to submit KYC. */
export interface SubmitKyc {
  readonly _tag: "SubmitKyc"
  readonly at: Timestamp
  /** The stored KYC with the submission merged into it. */
  readonly kyc: KycValues
  /** True if the submission contains disbursement data, even if that data is unchanged. */
  readonly has_disbursement_data: boolean
}

/**
 * KYC can be submitted repeatedly, in full or in part, until an offer is accepted. After that, it is locked. The only exception is a failed
 * payment: the disbursement data can then be submitted again, which retries the payment.
 * @rule KYC-02
 */
export const decideSubmitKyc = (
  application: Application,
  { at, kyc, has_disbursement_data }: SubmitKyc
): Result.Result<ReadonlyArray<ApplicationEvent>, KycLocked | KycIncomplete> => {
  const before = application.kyc ?? emptyKyc
  if (application.proposal === null) {
    return Result.succeed(isSame(before, kyc) ? [] : [{ _tag: "KycSubmitted", at, kyc }])
  }
  if (application.proposal.status !== "DISBURSEMENT_FAILED" || !isSame(identity(before), identity(kyc))) {
    return Result.fail(new KycLocked())
  }
  if (!has_disbursement_data) return Result.succeed([])
  const missing = missingFields(kyc, application.requirements)
  return missing.length > 0
    ? Result.fail(new KycIncomplete({ missing }))
    : Result.succeed([{ _tag: "DisbursementResubmitted", at, kyc }])
}

/** Returns a KYC without its disbursement data. */
const identity = ({ bank: _bank, disbursement_method: _method, pix: _pix, ...rest }: KycValues) => rest
