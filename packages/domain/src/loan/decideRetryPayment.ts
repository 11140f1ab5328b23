import { Result } from "effect"
import { isSame } from "../input/json.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { type Application } from "./Application.ts"
import { type SubmitKyc } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { KycIncomplete, KycLocked } from "./LoanRefusals.ts"

/**
 * Decides whether a failed payment is retried: disbursement data in a submission, changed or not, retries it. No other
 * data can change (KYC-02).
 */
export const decideRetryPayment = (
  application: Pick<Application, "kyc" | "requirements">,
  { at, has_disbursement_data, kyc }: SubmitKyc
): Result.Result<ReadonlyArray<LoanEvent>, KycLocked | KycIncomplete> => {
  if (!isSame(withoutDisbursement(application.kyc ?? emptyKyc), withoutDisbursement(kyc))) {
    return Result.fail(new KycLocked())
  }
  if (!has_disbursement_data) return Result.succeed([])
  const missing = missingFields(kyc, application.requirements)
  return missing.length > 0
    ? Result.fail(new KycIncomplete({ missing }))
    : Result.succeed([{ _tag: "DisbursementCorrected", at, kyc }])
}

/** Returns a KYC without its disbursement data. */
const withoutDisbursement = ({ bank: _bank, disbursement_method: _method, pix: _pix, ...rest }: KycValues) => rest
