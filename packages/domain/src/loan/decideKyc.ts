import { Result } from "effect"
import { isSame } from "../input/json.ts"
import { changedFields, isCorrectable, uncorrectedFields } from "../kyc/corrections.ts"
import { emptyKyc } from "../kyc/KycValues.ts"
import { missingFields } from "../kyc/missingFields.ts"
import { type Application } from "./Application.ts"
import { isCancelledEarly } from "./ApplicationStatus.ts"
import { decideRetryPayment } from "./decideRetryPayment.ts"
import { type SubmitKyc } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { KycIncomplete, KycLocked } from "./LoanRefusals.ts"
import { type CorrectionNeeded } from "./Proposal.ts"
import { isProposalExpired } from "./proposalExpiry.ts"

/**
 * KYC can be submitted repeatedly, in full or in part, until an offer is accepted or the application is cancelled.
 * After that, it is locked, with two exceptions:
 *
 * - After a failed payment, the disbursement data can be submitted again. This retries the payment.
 * - After a refused submission, the data can be corrected within the limits of FGTS-28, until the proposal expires
 *   (FGTS-54).
 * @rule KYC-02
 */
export const decideSubmitKyc = (
  command: SubmitKyc,
  application: Application
): Result.Result<ReadonlyArray<LoanEvent>, KycLocked | KycIncomplete> => {
  const { at, kyc } = command
  const before = application.kyc ?? emptyKyc
  const { proposal } = application
  if (proposal === null) {
    if (isCancelledEarly(application)) return Result.fail(new KycLocked({ locked: [] }))
    return Result.succeed(isSame(before, kyc) ? [] : [{ _tag: "KycSubmitted", at, kyc }])
  }
  if (isProposalExpired(application, at)) return Result.fail(new KycLocked({ locked: [] }))
  if (proposal.status === "CORRECTION_NEEDED") return decideCorrection(application, proposal, command)
  if (proposal.status === "DISBURSEMENT_FAILED") return decideRetryPayment(application, command)
  return Result.fail(new KycLocked({ locked: [] }))
}

/** Decides a correction of refused data (FGTS-28). */
const decideCorrection = (
  application: Pick<Application, "kyc" | "requirements">,
  { refused_fields: refused }: CorrectionNeeded,
  { at, kyc, submitted }: SubmitKyc
): Result.Result<ReadonlyArray<LoanEvent>, KycLocked | KycIncomplete> => {
  const changed = changedFields(application.kyc ?? emptyKyc, kyc)
  const locked = changed.filter((path) => !isCorrectable(refused, path))
  if (locked.length > 0) return Result.fail(new KycLocked({ locked }))
  const missing = missingFields(kyc, application.requirements)
  if (missing.length > 0) return Result.fail(new KycIncomplete({ missing }))
  const left = uncorrectedFields(refused, submitted ?? changed)
  const isUnchanged = changed.length === 0 && left.length === refused.length
  return Result.succeed(isUnchanged ? [] : [{ _tag: "DataCorrected", at, kyc, left }])
}
