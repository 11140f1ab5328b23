import { refusedFields } from "../kyc/corrections.ts"
import { whyNotContractable } from "../offer/whyNotContractable.ts"
import { millisOf } from "../values/Timestamp.ts"
import { acceptedOffer, type Application } from "./Application.ts"
import { cancelledAtLender } from "./decideCancel.ts"
import { expired } from "./decideExpire.ts"
import { type RecordInvalid, type RecordNotReceived, type StartSubmission } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { referenceOf } from "./Proposal.ts"

/**
 * The start of a submission is recorded before the lender is called for the first time. From then on, the lender may
 * have a contract. A cancelled proposal is not submitted, nor one for which the lender has already returned a contract.
 *
 * A submission whose offer can no longer be contracted (FGTS-55) is not started either: the proposal is CANCELLED with
 * OFFER_EXPIRED. The offer was lawful at the acceptance, but a submission can start days later, because the lender was
 * unreachable or the data had to be corrected. A submission that has already started is repeated without this check,
 * because the lender may have the contract.
 * @rule PROP-10
 */
export const decideStartSubmission = (
  { at, max_monthly_rate, max_monthly_rate_above_policy }: StartSubmission,
  application: Application
): ReadonlyArray<LoanEvent> => {
  const { customer: { birth_date }, proposal } = application
  if (proposal?.status !== "SUBMITTING" || proposal.submitted_at !== null) return []
  if (proposal.contract !== null || proposal.conflicting_reference !== null) return []
  const accepted = acceptedOffer(application)
  const facts = { at, birth_date, max_monthly_rate, max_monthly_rate_above_policy }
  const problem = accepted === undefined ? undefined : whyNotContractable(accepted, facts)
  return problem === undefined ? [{ _tag: "ContractSubmitted", at }] : expired(at, "OFFER_EXPIRED")
}

/**
 * The longest run during which no other worker can have called the lender, in milliseconds: 4 seconds. The job of a
 * silent worker is taken over after 5 seconds at the earliest.
 */
const soleRunMs = 4_000

/**
 * A submission counts as not started if the lender provably did not receive it: its connection or its credentials were
 * refused. The proposal can then be cancelled at once (FGTS-30). If a cancellation was requested meanwhile, the proposal
 * is CANCELLED.
 *
 * The rule holds only for the first call of a submission, and only if its run took at most 4 seconds. Otherwise,
 * another call may have reached the lender.
 * @rule PROP-18
 */
export const decideRecordNotReceived = (
  { at, began_at, submitted_at }: RecordNotReceived,
  { proposal }: Application
): ReadonlyArray<LoanEvent> => {
  if (proposal === null || referenceOf(proposal) !== null) return []
  if (submitted_at !== proposal.submitted_at || millisOf(at) - millisOf(began_at) > soleRunMs) return []
  switch (proposal.status) {
    case "SUBMITTING":
      return proposal.conflicting_reference === null ? [{ _tag: "SubmissionNotReceived", at }] : []
    case "CANCELLING":
      return cancelledAtLender(proposal, at)
    default:
      return []
  }
}

/**
 * If the lender refuses the data of a submission, the proposal is CORRECTION_NEEDED, with the refused KYC fields. If a
 * cancellation was requested meanwhile, the proposal is CANCELLED, because the lender has created no contract.
 *
 * These refusals are ignored:
 *
 * - the refusal of an earlier submission, because the lender can have a contract from the corrected data
 * - a refusal after the lender returned the contract of another proposal, because this proposal is not submitted again
 *   (PROP-14)
 * @rule FGTS-34
 */
export const decideRecordInvalid = (
  { at, fields, submitted_at }: RecordInvalid,
  { proposal, requirements }: Application
): ReadonlyArray<LoanEvent> => {
  if (proposal === null || referenceOf(proposal) !== null) return []
  if (submitted_at !== undefined && submitted_at !== proposal.submitted_at) return []
  switch (proposal.status) {
    case "SUBMITTING":
      return proposal.conflicting_reference === null
        ? [{ _tag: "SubmissionRefused", at, fields: refusedFields(fields, requirements) }]
        : []
    case "CANCELLING":
      return cancelledAtLender(proposal, at)
    default:
      return []
  }
}
