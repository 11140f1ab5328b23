import { Result } from "effect"
import { changedFields } from "../kyc/corrections.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
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
  const locked = changedFields(application.kyc ?? emptyKyc, kyc).filter((path) => !isDisbursementField(path))
  if (locked.length > 0) return Result.fail(new KycLocked({ locked }))
  if (!has_disbursement_data) return Result.succeed([])
  const missing = missingFields(kyc, application.requirements)
  return missing.length > 0
    ? Result.fail(new KycIncomplete({ missing }))
    : Result.succeed([{ _tag: "DisbursementCorrected", at, kyc }])
}

/** Returns whether the path of a KYC field belongs to the disbursement data. */
const isDisbursementField = (path: string): boolean => /^(?:disbursement_method|pix|bank)(?:\.|$)/.test(path)
