import { Equal, Option } from "effect"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type ProposalId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { type ApplicationEvent } from "./ApplicationEvent.ts"
import { type ReturnedFacts } from "./ContractEvent.ts"
import { cancellationRejection } from "./decideCancel.ts"
import { decideRecordNoContract } from "./decideExitAnswer.ts"
import { type LenderContract } from "./LenderContract.ts"
import { isFinal, type Proposal, proposalPath, type ProposalStatus } from "./Proposal.ts"
import { type LenderContractStatus } from "./ProposalStatus.ts"

/** The command to record the status of the contract at the lender. */
export interface RecordContract {
  readonly _tag: "RecordContract"
  readonly at: Timestamp
  readonly contract: LenderContract
  /** The request that the lender answered with this state. Absent if it answered a poll or any other request. */
  readonly answers?: "refund" | "signature_link"
}

/**
 * A cancelled contract, a rejected contract, a failed payment and a refunded contract have a rejection. If the lender
 * gives none, the code is, in the same order, CUSTOMER_CANCELLED, LENDER_POLICY, DISBURSEMENT_FAILED or
 * CUSTOMER_CANCELLED.
 * @rule FGTS-23
 */
export const rejectionOf = (
  status: ProposalStatus,
  { rejection }: Pick<LenderContract, "rejection">
): RejectionReason | null => {
  switch (status) {
    case "CANCELLED":
      return rejection ?? rejectionByLastro("CONTRACT_CANCELLED")
    case "REJECTED":
      return rejection ?? rejectionByLastro("CONTRACT_REFUSED")
    case "DISBURSEMENT_FAILED":
      return rejection ?? rejectionByLastro("PAYMENT_FAILED")
    case "REFUNDED":
      return rejection ?? rejectionByLastro("CONTRACT_REFUNDED")
    default:
      return null
  }
}

/**
 * If the lender returns CANCELLED or REJECTED for a contract that was paid, the contract was reversed: it is REFUNDED.
 * @rule FGTS-37
 */
export const statusAfterPayment = (from: ProposalStatus, to: LenderContractStatus): LenderContractStatus =>
  (from === "PAID" || from === "REFUND_PENDING") && (to === "CANCELLED" || to === "REJECTED") ? "REFUNDED" : to

/**
 * If the lender returns a status that is several steps ahead, the statuses in between are recorded as well. A status
 * that the proposal has already had is ignored. A DISBURSING or DISBURSEMENT_FAILED status of an earlier payment
 * attempt is ignored too, and so is a PAID status that is older than a withdrawal.
 * @rule FGTS-19
 */
export const decideRecordContract = (
  { proposal }: Application,
  { answers, at, contract }: RecordContract
): ReadonlyArray<ApplicationEvent> => {
  if (proposal === null || isStale(proposal, contract, answers)) return []
  const { reference, signature_url } = contract
  const returned = returnedFacts(contract)
  if (isContractUpdate(proposal, contract) || answers === "signature_link" && isLinkAnswer(proposal, contract)) {
    return [{ _tag: "ContractUpdated", at, reference, signature_url, returned }]
  }
  return proposalPath(proposal.status, statusAfterPayment(proposal.status, contract.status)).map((
    status
  ): ApplicationEvent => ({
    _tag: "ProposalMoved",
    at,
    status,
    reference,
    signature_url,
    returned,
    ...outcomeOf(proposal, status, contract)
  }))
}

/** Returns whether the lender has answered the request for a new signature link. */
const isLinkAnswer = (proposal: Proposal, { status }: LenderContract): boolean =>
  proposal.status === "AWAITING_SIGNATURE" && status === "AWAITING_SIGNATURE" &&
  (proposal.link_requested_at ?? null) !== null

const returnedFacts = (
  { paid = null, refund = null, required_action = null, status, terms = null }: LenderContract
) => ({
  paid,
  refund: status === "REFUND_PENDING" ? refund : null,
  required_action,
  terms
})

/**
 * A requested cancellation has the rejection of the caller's reason. In the history, a contract that was paid before
 * its cancellation has the reason ALREADY_PAID, and a contract whose refund was not paid has the reason
 * REFUND_NOT_PAID.
 *
 * Returns the rejection of the new status, and its reason in the history if that reason is not the code of the rejection.
 * @rule PROP-11
 */
export const outcomeOf = (
  { cancellation = null, status: from }: Pick<Proposal, "cancellation" | "status">,
  status: ProposalStatus,
  contract: Pick<LenderContract, "rejection">
): { readonly rejection: RejectionReason | null; readonly reason?: string } => {
  if (status === "PAID" && from === "CANCELLING") return { rejection: null, reason: "ALREADY_PAID" }
  if (status === "PAID" && from === "REFUND_PENDING") return { rejection: null, reason: "REFUND_NOT_PAID" }
  return {
    rejection: status === "CANCELLED" && from === "CANCELLING" && cancellation !== null
      ? cancellationRejection(cancellation.reason)
      : rejectionOf(status, contract)
  }
}

/**
 * A contract that the lender returns for a proposal is not recorded if another proposal already has the contract's
 * reference. This is a fault of the lender: two proposals cannot be the same loan. The proposal keeps its status, is
 * not submitted again, and can be cancelled.
 *
 * `holder` is the proposal that has the reference.
 * @rule FGTS-27
 */
export const isReferenceTaken = (
  { proposal_id, reference }: Pick<Proposal, "proposal_id" | "reference">,
  contract: Pick<LenderContract, "reference">,
  holder: Option.Option<ProposalId>
): boolean => contract.reference !== reference && Option.exists(holder, (other) => other !== proposal_id)

/**
 * If the lender returned the contract of another proposal, the reference is stored, so that this proposal is not
 * submitted again. A requested cancellation is completed, because the proposal has no contract of its own.
 * @rule PROP-14
 */
export const decideConflict = (
  { proposal }: Application,
  { reference }: Pick<LenderContract, "reference">,
  at: Timestamp
): ReadonlyArray<ApplicationEvent> => {
  if (proposal === null || proposal.reference !== null) return []
  if (proposal.status === "CANCELLING") return decideRecordNoContract({ proposal }, { _tag: "RecordNoContract", at })
  return proposal.status === "SUBMITTING" && (proposal.conflicting_reference ?? null) === null
    ? [{ _tag: "ReferenceConflicted", at, reference }]
    : []
}

/**
 * Until a proposal is final, new facts of its contract are recorded even if the status is unchanged: a reference,
 * payment, refund, required action, new terms, or the first signature link. A different signature link, or a different
 * URL of the same required action, is not recorded, because a lender can return another one each time.
 * @rule FGTS-26
 */
export const isContractUpdate = (proposal: Proposal, contract: LenderContract): boolean => {
  if (isFinal(proposal)) return false
  if (proposal.status === "CANCELLING") return isLive(contract.status) && proposal.reference !== contract.reference
  if (proposal.status !== contract.status) return false
  return proposal.reference !== contract.reference ||
    contract.signature_url !== null && proposal.signature_url === null ||
    proposal.status === "REFUND_PENDING" && proposal.withdrawal?.is_confirmed === false ||
    hasNewFacts(proposal, returnedFacts(contract))
}

const isLive = (status: LenderContractStatus): boolean => proposalPath("CANCELLING", status).length === 0

const hasNewFacts = (proposal: Proposal, { paid, refund, required_action, terms }: ReturnedFacts): boolean =>
  isNew(proposal.paid, paid) || isNew(proposal.refund, refund) || isNew(proposal.terms, terms) ||
  !Equal.equals(withoutUrl(proposal.required_action), withoutUrl(required_action))

const isNew = (stored: unknown, returned: unknown): boolean =>
  returned !== null && returned !== undefined && !Equal.equals(stored, returned)

const withoutUrl = (action: Proposal["required_action"]) =>
  action === null || action === undefined ? null : { code: action.code, fields: action.fields }

/**
 * Returns whether a status is outdated, because it belongs to an earlier payment attempt, or because the lender has not
 * answered the request for a refund. Only DISBURSING, DISBURSEMENT_FAILED and PAID can be outdated.
 */
const isStale = (
  { disbursement_attempt: attempt, status: from, withdrawal }: Proposal,
  { disbursement_attempt, status }: LenderContract,
  answers: RecordContract["answers"]
): boolean =>
  disbursement_attempt < attempt && (status === "DISBURSEMENT_FAILED" || status === "DISBURSING") ||
  from === "REFUND_PENDING" && status === "PAID" && withdrawal?.is_confirmed === false && answers !== "refund"
