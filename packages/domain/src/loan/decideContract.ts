import { Equal } from "effect"
import { rejectionByLastro } from "../offer/rejectionByLastro.ts"
import { type RejectionReason, withRetryTime } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application } from "./Application.ts"
import { cancellationRejection } from "./decideCancel.ts"
import { refusedBy } from "./decideExitRefused.ts"
import { type LenderContract, type LenderContractStatus } from "./LenderContract.ts"
import { type RecordContract } from "./LoanCommand.ts"
import { type LoanEvent } from "./LoanEvent.ts"
import { type ContractAtLender, contractOf, isFinal, openRequestOf, type Proposal, referenceOf } from "./Proposal.ts"
import { type StatedFacts } from "./ProposalEvent.ts"
import { type Step, stepsBetween } from "./proposalSteps.ts"
import { eventsOfConflict, isReferenceTaken } from "./referenceConflict.ts"
import { signatureLink } from "./signatureLink.ts"

/**
 * A new status of the lender is recorded as the events that lead to it (PROP-03). If it is several steps ahead, the
 * events in between are recorded as well. These statuses are ignored:
 *
 * - a status to which no path of PROP-03 leads, and every status of a contract that has ended
 * - DISBURSING or DISBURSEMENT_FAILED of an earlier payment attempt
 * - CANCELLED or REJECTED of an earlier payment attempt that had another reference
 * - PAID while a refund is requested. As the answer to this request, PAID means that the lender refuses the refund.
 * - PAID or REFUND_PENDING, if the lender was called before the last change between them, or before the refund was
 *   confirmed
 * @rule FGTS-19
 */
export const decideRecordContract = (
  { answers, at, called_for, contract: stated, reference_holder = null }: RecordContract,
  { proposal }: Application
): ReadonlyArray<LoanEvent> => {
  // Final terms without an instalment are no terms: those of the offer stay.
  const terms = stated.terms?.installments.length === 0 ? null : stated.terms ?? null
  const contract = { ...stated, signature_url: signatureLink(stated.signature_url), terms }
  if (proposal === null || isOfEarlierPayment(proposal, contract)) return []
  if (isOvertaken(called_for ?? proposal, proposal, contract)) return []
  if (contract.status === "PAID" && openRequestOf(proposal)?.kind === "refund") {
    return decidePaidNotRefunded(answers, at)
  }
  const update = updateOf(proposal, contract, answers)
  const events = update === null ? stepsBetween(proposal.status, contract.status) : [update]
  if (events.length === 0) return []
  if (isReferenceTaken(proposal, contract, reference_holder)) return eventsOfConflict(proposal, contract, at)
  return events.map((name) => eventOf(name, proposal, contract, at))
}

/** Returns whether the lender's answer is only about an earlier payment attempt. */
const isOfEarlierPayment = (
  proposal: Proposal,
  { disbursement_attempt, reference, status }: LenderContract
): boolean => {
  if (disbursement_attempt >= proposal.disbursement_attempt) return false
  switch (status) {
    case "DISBURSING":
    case "DISBURSEMENT_FAILED":
      return true
    case "CANCELLED":
    case "REJECTED":
      return reference !== referenceOf(proposal)
    default:
      return false
  }
}

const refundStatuses: ReadonlySet<string> = new Set<LenderContractStatus>(["PAID", "REFUND_PENDING"])

/**
 * Returns whether the present status can be newer than the lender's answer. Between PAID and REFUND_PENDING, only the
 * call shows that: a refund that is not paid leads back to PAID, and a second withdrawal to REFUND_PENDING.
 */
const isOvertaken = (called_for: Proposal, present: Proposal, { status }: LenderContract): boolean =>
  refundStatuses.has(status) && refundStatuses.has(present.status) &&
  (called_for.status_history.length !== present.status_history.length ||
    openRequestOf(called_for)?.kind !== openRequestOf(present)?.kind)

/**
 * Decides about PAID while a refund is requested. As the answer to the request, it means that the lender refuses the
 * refund. As the answer to a poll, it changes nothing: the lender has not processed the request yet.
 */
const decidePaidNotRefunded = (answers: RecordContract["answers"], at: Timestamp): ReadonlyArray<LoanEvent> =>
  answers === "refund" ? refusedBy("refund", "REFUSED", at) : []

/** The name of an event that records new facts. */
type Update = "ContractUpdated" | "RefundOffered" | "SignatureLinkRenewed"

/**
 * Until a proposal is final, new facts of its contract are recorded even if the status is unchanged. These are a
 * reference, payment, refund, required action, new terms, another reason of a failed payment, or the first signature
 * link. Another signature link, or another URL of the same required action, is no new fact, because a lender can return
 * a different one each time. It is recorded only beside a new fact, or as the answer to a request.
 *
 * IN_ANALYSIS means that the lender has the contract. A proposal that is CORRECTION_NEEDED is then SUBMITTING again.
 *
 * Returns the name of the event. Null if the lender's status differs from the recorded one, or if nothing is new.
 * @rule FGTS-26
 */
export const updateOf = (
  proposal: Proposal,
  contract: LenderContract,
  answers: RecordContract["answers"]
): Update | null => {
  if (isFinal(proposal)) return null
  if (proposal.status === "CANCELLING") {
    const isStillOpen = stepsBetween("CANCELLING", contract.status).length === 0
    return isStillOpen && referenceOf(proposal) !== contract.reference ? "ContractUpdated" : null
  }
  if (!isSameStatus(proposal, contract)) return null
  const isNew = hasNewFacts(contractOf(proposal), contract)
  switch (proposal.status) {
    case "AWAITING_SIGNATURE": {
      const isFirstLink = proposal.signature_url === null && contract.signature_url !== null
      if (answers !== "signature_link") return isNew || isFirstLink ? "ContractUpdated" : null
      return isNew || isFirstLink || proposal.link_requested_at !== null ? "SignatureLinkRenewed" : null
    }
    case "DISBURSEMENT_FAILED":
      return isNew || isOtherReason(proposal.rejection, contract.rejection) ? "ContractUpdated" : null
    case "PAID":
      return isNew || isNewlyStated(proposal.paid, contract.paid) ? "ContractUpdated" : null
    case "REFUND_PENDING": {
      const isNewPayment = isNewlyStated(proposal.paid, contract.paid) ||
        isNewlyStated(proposal.refund, contract.refund)
      return isNew || isNewPayment || proposal.withdrawal?.is_confirmed === false ? "RefundOffered" : null
    }
    default:
      return isNew ? "ContractUpdated" : null
  }
}

/** Returns whether the lender's status is the recorded one. */
const isSameStatus = (proposal: Proposal, { status }: LenderContract): boolean =>
  status === "IN_ANALYSIS"
    ? proposal.status === "SUBMITTING" || proposal.status === "CORRECTION_NEEDED"
    : proposal.status === status

const hasNewFacts = (
  known: ContractAtLender | null,
  { reference, required_action = null, terms }: LenderContract
): boolean =>
  known?.reference !== reference || isNewlyStated(known.terms, terms) ||
  !Equal.equals(withoutUrl(known.required_action), withoutUrl(required_action))

/** Returns whether the lender states a value that differs from the known one. */
const isNewlyStated = (known: unknown, stated: unknown): boolean =>
  stated !== null && stated !== undefined && !Equal.equals(known, stated)

/**
 * Returns whether the lender states another reason. Another `retry_at`, time, number or id alone is none, because it can
 * change with each answer.
 */
const isOtherReason = (known: RejectionReason, stated: RejectionReason | null): boolean =>
  stated !== null && (stated.code !== known.code || withoutNumbers(stated) !== withoutNumbers(known))

/** Returns the message without the words that contain a digit. */
const withoutNumbers = ({ message }: RejectionReason): string =>
  message.split(/\s+/).filter((word) => !/\d/.test(word)).join(" ")

const withoutUrl = (action: ContractAtLender["required_action"]) =>
  action === null ? null : { code: action.code, fields: action.fields }

/** Returns the event with this name, with the facts of the lender's contract that it records. */
const eventOf = (
  name: Step | Update,
  proposal: Proposal,
  contract: LenderContract,
  at: RecordContract["at"]
): LoanEvent => {
  const { signature_url } = contract
  const stated: StatedFacts = {
    reference: contract.reference,
    terms: contract.terms ?? null,
    required_action: contract.required_action ?? null,
    paid: contract.paid ?? null
  }
  switch (name) {
    case "SignatureRequested":
    case "SignatureLinkRenewed":
      return { _tag: name, at, stated, signature_url }
    case "ContractUpdated": {
      const rejection = contract.rejection === null ? null : withRetryTime(contract.rejection, at)
      return { _tag: name, at, stated, signature_url, rejection }
    }
    case "RefundOffered":
      return { _tag: name, at, stated, refund: contract.refund ?? null }
    case "PaymentFailed":
      return { _tag: name, at, stated, rejection: rejectionFor("PAYMENT_FAILED", contract, at) }
    case "ContractSettled":
      return { _tag: name, at, stated, settled_at: contract.settled_at ?? at }
    case "ContractRejected":
      return { _tag: name, at, stated, rejection: rejectionFor("CONTRACT_REFUSED", contract, at) }
    case "ContractRefunded":
      return { _tag: name, at, stated, rejection: rejectionFor("CONTRACT_REFUNDED", contract, at) }
    case "PaymentReversed":
      return { _tag: name, at, stated, rejection: rejectionFor("PAYMENT_REVERSED", contract, at) }
    case "ContractCancelled":
      return { _tag: name, at, stated, reason: null, rejection: cancelledBecause(proposal, contract, at) }
    case "ContractSigned":
    case "CustomerPaid":
    case "GuaranteeConfirmed":
    case "PaymentRetried":
    case "RefundNotPaid":
      return { _tag: name, at, stated }
  }
}

/**
 * If the lender gives no reason, the rejection has a default code.
 *
 * - cancelled, or paid back by the customer: CUSTOMER_CANCELLED
 * - rejected, or payment reversed: LENDER_POLICY
 * - payment failed: DISBURSEMENT_FAILED
 *
 * A missing `retry_at` is set by FGTS-59.
 * @rule FGTS-23
 */
export const rejectionFor = (
  outcome: "CONTRACT_CANCELLED" | "CONTRACT_REFUNDED" | "CONTRACT_REFUSED" | "PAYMENT_FAILED" | "PAYMENT_REVERSED",
  { rejection }: Pick<LenderContract, "rejection">,
  at: Timestamp
): RejectionReason => rejection === null ? rejectionByLastro(outcome) : withRetryTime(rejection, at)

/**
 * Returns the rejection of a cancelled contract. If a caller requested the cancellation, the caller's reason counts
 * (FGTS-29).
 */
const cancelledBecause = (proposal: Proposal, contract: LenderContract, at: Timestamp): RejectionReason =>
  proposal.status === "CANCELLING"
    ? cancellationRejection(proposal.cancellation.reason)
    : rejectionFor("CONTRACT_CANCELLED", contract, at)
