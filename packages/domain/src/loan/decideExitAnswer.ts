import { refusedFields } from "../kyc/corrections.ts"
import { type Percent } from "../values/Percent.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { cancellationRejection } from "./decideCancel.ts"
import { cancelledByLastro } from "./decideExpire.ts"
import { acceptedOffer, isContractable } from "./isContractable.ts"
import { type Proposal } from "./Proposal.ts"

/** The command to record that a submission starts. */
export interface StartSubmission {
  readonly _tag: "StartSubmission"
  readonly at: Timestamp
  /** The operator's maximum monthly rate. Default: no maximum. */
  readonly max_monthly_rate?: Percent | null
}

const wasRefused = ({ status_history }: Proposal): boolean =>
  status_history.some(({ status }) => status === "CORRECTION_NEEDED")

/**
 * The start of a submission is recorded before the lender is called for the first time. From then on, the lender may
 * have a contract. If the proposal was cancelled before, no submission is started.
 *
 * A submission of corrected data whose offer can no longer be contracted (FGTS-55) is not started either: the proposal
 * is CANCELLED, and its rejection is OFFER_EXPIRED. The first submission is not checked, because the acceptance has
 * already checked the offer. A submission that has started is repeated without a check, because the lender may already
 * have the contract.
 * @rule PROP-10
 */
export const decideStartSubmission = (
  application: Application,
  { at, max_monthly_rate = null }: StartSubmission
): ReadonlyArray<ApplicationEvent> => {
  const { proposal } = application
  if (proposal?.status !== "SUBMITTING" || proposal.asked_at !== null) return []
  const offer = wasRefused(proposal) ? acceptedOffer(application) : undefined
  return offer === undefined || isContractable(offer, at, max_monthly_rate)
    ? [{ _tag: "SubmissionStarted", at }]
    : cancelledByLastro(at, "OFFER_EXPIRED")
}

/** The command to record that the lender refuses the data of a submission. */
export interface RecordInvalid {
  readonly _tag: "RecordInvalid"
  readonly at: Timestamp
  /**
   * The start of the refused submission: the `asked_at` of the proposal when the lender was called. Undefined if it is
   * not known.
   */
  readonly asked_at?: Proposal["asked_at"]
  /** The refused fields, under the lender's names. */
  readonly fields: ReadonlyArray<string>
}

/**
 * If the lender refuses the data of a submission, the proposal is CORRECTION_NEEDED, with the refused KYC fields. If a
 * cancellation was requested meanwhile, the proposal is CANCELLED, because the lender has created no contract. A
 * refusal of an earlier submission is ignored: the lender can have a contract from the corrected data.
 * @rule FGTS-34
 */
export const decideRecordInvalid = (
  { proposal }: Application,
  { asked_at, at, fields }: RecordInvalid
): ReadonlyArray<ApplicationEvent> => {
  if (proposal === null || proposal.reference !== null) return []
  if (asked_at !== undefined && asked_at !== proposal.asked_at) return []
  if (proposal.status === "CANCELLING") return cancelled(proposal, at)
  return proposal.status === "SUBMITTING" ? [{ _tag: "SubmissionRefused", at, fields: refusedFields(fields) }] : []
}

/** The command to record that the lender has no contract, and will create none. */
export interface RecordNoContract {
  readonly _tag: "RecordNoContract"
  readonly at: Timestamp
}

/**
 * A cancellation ends when the lender answers that it has no contract of the proposal and will create none.
 * @rule FGTS-35
 */
export const decideRecordNoContract = (
  { proposal }: Pick<Application, "proposal">,
  { at }: RecordNoContract
): ReadonlyArray<ApplicationEvent> => proposal?.status === "CANCELLING" ? cancelled(proposal, at) : []

const cancelled = (
  { cancellation, reference }: NonNullable<Application["proposal"]>,
  at: Timestamp
): ReadonlyArray<ApplicationEvent> => {
  const rejection = cancellationRejection(cancellation?.reason ?? "OTHER")
  return [{ _tag: "ProposalMoved", at, status: "CANCELLED", reference, signature_url: null, rejection }]
}

/**
 * The command to record that the lender does not offer the requested cancellation, refund or signature link, or refuses
 * it for this contract.
 */
export interface RecordExitRefused {
  readonly _tag: "RecordExitRefused"
  readonly at: Timestamp
  readonly cause: "UNSUPPORTED" | "REFUSED"
}

/**
 * If the lender does not offer a requested cancellation, refund or signature link, or refuses it for good, the proposal
 * returns to its status before the request. The history records the reason.
 * @rule FGTS-36
 */
export const decideRecordExitRefused = (
  { proposal }: Application,
  { at, cause }: RecordExitRefused
): ReadonlyArray<ApplicationEvent> => {
  switch (proposal?.status) {
    case "CANCELLING": {
      const status = proposal.cancellation?.from ?? "SUBMITTING"
      return [{ _tag: "ExitRefused", at, status, reason: `CANCELLATION_${cause}` }]
    }
    case "REFUND_PENDING":
      return proposal.withdrawal?.is_confirmed === false
        ? [{ _tag: "ExitRefused", at, status: "PAID", reason: `REFUND_${cause}` }]
        : []
    case "AWAITING_SIGNATURE":
      return (proposal.link_requested_at ?? null) === null
        ? []
        : [{ _tag: "ExitRefused", at, status: "AWAITING_SIGNATURE", reason: `SIGNATURE_LINK_${cause}` }]
    default:
      return []
  }
}
