import { disbursementOf } from "../kyc/Disbursement.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Cancellable, contractOf, type Proposal, type ProposalIn } from "./Proposal.ts"
import {
  type CancellationRequested,
  type ContractCancelled,
  type ContractRefunded,
  type ContractRejected,
  type ContractUpdated,
  type DataCorrected,
  type DisbursementCorrected,
  type PaymentFailed,
  type PaymentReversed,
  type ProposalEvent,
  type RefundOffered,
  type SignatureLinkRenewed,
  type WithdrawalRefused,
  type WithdrawalRequested
} from "./ProposalEvent.ts"
import { contractWith, enter, paidState, withoutAction } from "./proposalState.ts"

/**
 * Applies an event to a proposal. `decide` guarantees that the event fits the status. The status is checked here only
 * where a type needs it; the proposal is then unchanged.
 *
 * The history has a reason for these entries:
 *
 * - refused data: SUBMISSION_INVALID
 * - a refused cancellation or refund: CANCELLATION_ or REFUND_, followed by UNSUPPORTED or REFUSED
 * - a contract that was paid before its cancellation: ALREADY_PAID
 * - a refund that was not paid: REFUND_NOT_PAID
 * - a contract that ended or whose payment failed: the code of the rejection
 * @rule PROP-11
 */
export const evolveProposal = (proposal: Proposal, event: ProposalEvent): Proposal => {
  const { at } = event
  switch (event._tag) {
    // Submission. The first two events are invisible to callers (PROP-16).
    case "ContractSubmitted":
      return { ...proposal, submitted_at: at, invisible_events: proposal.invisible_events + 1 }
    case "SubmissionNotReceived":
      return { ...proposal, submitted_at: null, invisible_events: proposal.invisible_events + 1 }
    case "SubmissionRefused":
      return {
        ...enter(proposal, at, { status: "CORRECTION_NEEDED", refused_fields: event.fields }, "SUBMISSION_INVALID"),
        submitted_at: null
      }
    case "DataCorrected":
      return correctData(proposal, event)
    case "ReferenceConflicted":
      if (proposal.status !== "SUBMITTING") return proposal
      return { ...proposal, conflicting_reference: event.reference, updated_at: at }

    // Signature and payment.
    case "SignatureRequested": {
      const contract = contractWith(proposal, event.stated)
      const { signature_url } = event
      return enter(proposal, at, { status: "AWAITING_SIGNATURE", contract, signature_url, link_requested_at: null })
    }
    case "ContractSigned":
      return enter(proposal, at, { status: "GUARANTEE_PENDING", contract: contractWith(proposal, event.stated) })
    case "GuaranteeConfirmed":
    case "PaymentRetried":
      return enter(proposal, at, { status: "DISBURSING", contract: contractWith(proposal, event.stated) })
    case "PaymentFailed":
      return enterRejected(proposal, "DISBURSEMENT_FAILED", event)
    case "DisbursementCorrected":
      return correctDisbursement(proposal, event)
    case "CustomerPaid":
      return enter(
        proposal,
        at,
        paidState(proposal, event.stated),
        proposal.status === "CANCELLING" ? "ALREADY_PAID" : null
      )

    // End of an unpaid contract.
    case "CancellationRequested":
      return requestCancellation(proposal, event)
    case "CancellationRefused":
      if (proposal.status !== "CANCELLING") return proposal
      return enter(proposal, at, proposal.before, `CANCELLATION_${event.cause}`)
    case "ContractCancelled":
      return cancel(proposal, event)
    case "ProposalExpired": {
      const { rejection } = event
      return enter(proposal, at, { status: "CANCELLED", contract: null, cancellation: null, rejection }, rejection.code)
    }
    case "ContractRejected":
      return enterRejected(proposal, "REJECTED", event)

    // Reversal of the payment.
    case "WithdrawalRequested":
      return requestRefund(proposal, event)
    case "WithdrawalRefused":
      return refuseRefund(proposal, event)
    case "RefundOffered":
      return offerRefund(proposal, event)
    case "RefundNotPaid":
      return enter(proposal, at, paidState(proposal, event.stated), "REFUND_NOT_PAID")
    case "ContractRefunded":
    case "PaymentReversed":
      return reversePayment(proposal, event)

    // Repayment in full.
    case "ContractSettled": {
      const { settled_at, stated } = event
      return enter(proposal, at, { ...paidState(proposal, stated), status: "SETTLED", settled_at })
    }

    // New facts. The status stays, except that CORRECTION_NEEDED becomes SUBMITTING.
    case "SignatureLinkRequested":
      return withLinkRequest(proposal, at, at)
    case "SignatureLinkRefused":
      return withLinkRequest(proposal, at, null)
    case "SignatureLinkRenewed":
    case "ContractUpdated":
      return { ...withFacts(proposal, event), updated_at: at }
  }
}

/** Applies corrected KYC data. Once no refused field is left, the contract is submitted again. */
const correctData = (proposal: Proposal, { at, kyc, left }: DataCorrected): Proposal => {
  const customer = { ...proposal.customer, name: kyc.name ?? proposal.customer.name }
  const corrected = { ...proposal, customer, disbursement: disbursementOf(kyc) }
  if (left.length === 0) {
    return enter(corrected, at, { status: "SUBMITTING", contract: null, conflicting_reference: null })
  }
  return corrected.status === "CORRECTION_NEEDED" ? { ...corrected, refused_fields: left, updated_at: at } : corrected
}

/** Applies corrected disbursement data: a new attempt of the payment starts. */
const correctDisbursement = (proposal: Proposal, { at, kyc }: DisbursementCorrected): Proposal => {
  const contract = withoutAction(contractOf(proposal))
  if (contract === null) return proposal
  return {
    ...enter(proposal, at, { status: "DISBURSING", contract }),
    disbursement: disbursementOf(kyc),
    disbursement_attempt: proposal.disbursement_attempt + 1
  }
}

/** Enters the status of a failed payment or of a rejected contract. */
const enterRejected = (
  proposal: Proposal,
  status: "DISBURSEMENT_FAILED" | "REJECTED",
  { at, rejection, stated }: ContractRejected | PaymentFailed
): Proposal => enter(proposal, at, { status, contract: contractWith(proposal, stated), rejection }, rejection.code)

const requestCancellation = (proposal: Proposal, { at, reason }: CancellationRequested): Proposal => {
  if (!isCancellable(proposal)) return proposal
  const cancellation = { reason, requested_at: at }
  const { contract } = proposal
  return enter(proposal, at, { status: "CANCELLING", contract, cancellation, before: stateBefore(proposal) })
}

/** Cancels the contract. The reason is that of the open request, or of the event if the caller cancels at once. */
const cancel = (proposal: Proposal, { at, reason, rejection, stated }: ContractCancelled): Proposal => {
  const contract = stated === null ? withoutAction(contractOf(proposal)) : contractWith(proposal, stated)
  const immediate = reason === null ? null : { reason, requested_at: at }
  const cancellation = proposal.status === "CANCELLING" ? proposal.cancellation : immediate
  return enter(proposal, at, { status: "CANCELLED", contract, cancellation, rejection }, rejection.code)
}

const requestRefund = (proposal: Proposal, { at, reason }: WithdrawalRequested): Proposal => {
  if (proposal.status !== "PAID") return proposal
  const withdrawal = { reason, requested_at: at, is_confirmed: false }
  const { contract, paid } = proposal
  return enter(proposal, at, { status: "REFUND_PENDING", contract, paid, withdrawal, refund: null })
}

const refuseRefund = (proposal: Proposal, { at, cause }: WithdrawalRefused): Proposal => {
  if (proposal.status !== "REFUND_PENDING") return proposal
  const { contract, paid } = proposal
  return enter(proposal, at, { status: "PAID", contract, paid }, `REFUND_${cause}`)
}

/** Confirms the withdrawal. If the customer has not withdrawn, the lender reverses the contract on its own. */
const offerRefund = (proposal: Proposal, { at, refund, stated }: RefundOffered): Proposal => {
  const payment = paidState(proposal, stated)
  if (proposal.status !== "REFUND_PENDING") {
    return enter(proposal, at, { ...payment, status: "REFUND_PENDING", withdrawal: null, refund })
  }
  const withdrawal = proposal.withdrawal === null ? null : { ...proposal.withdrawal, is_confirmed: true }
  return {
    ...proposal,
    ...payment,
    status: proposal.status,
    withdrawal,
    refund: refund ?? proposal.refund,
    updated_at: at
  }
}

/** Ends a reversed contract. A proposal that was REFUND_PENDING keeps its withdrawal. */
const reversePayment = (
  proposal: Proposal,
  { at, rejection, stated }: ContractRefunded | PaymentReversed
): Proposal => {
  const withdrawal = proposal.status === "REFUND_PENDING" ? proposal.withdrawal : null
  return enter(
    proposal,
    at,
    { ...paidState(proposal, stated), status: "REFUNDED", withdrawal, rejection },
    rejection.code
  )
}

const withLinkRequest = (proposal: Proposal, at: Timestamp, link_requested_at: Timestamp | null): Proposal =>
  proposal.status === "AWAITING_SIGNATURE" ? { ...proposal, link_requested_at, updated_at: at } : proposal

/**
 * Returns a proposal with the facts that the lender states. They show that the lender has the contract, so
 * CORRECTION_NEEDED becomes SUBMITTING. Any other status stays.
 */
const withFacts = (proposal: Proposal, event: ContractUpdated | SignatureLinkRenewed): Proposal => {
  const { at, signature_url, stated } = event
  const contract = contractWith(proposal, stated)
  switch (proposal.status) {
    case "CORRECTION_NEEDED":
      return enter(proposal, at, { status: "SUBMITTING", contract, conflicting_reference: null })
    case "SUBMITTING":
      return { ...proposal, contract, conflicting_reference: null }
    case "AWAITING_SIGNATURE": {
      const link_requested_at = event._tag === "SignatureLinkRenewed" ? null : proposal.link_requested_at
      return { ...proposal, contract, signature_url: signature_url ?? proposal.signature_url, link_requested_at }
    }
    case "DISBURSEMENT_FAILED": {
      const rejection = event._tag === "ContractUpdated" ? event.rejection : null
      return { ...proposal, contract, rejection: rejection ?? proposal.rejection }
    }
    case "PAID":
      return { ...proposal, ...paidState(proposal, stated) }
    case "CANCELLING":
      return { ...proposal, contract, before: { ...proposal.before, contract } }
    default:
      return { ...proposal, contract }
  }
}

/**
 * Returns the state to which a proposal returns if its cancellation is refused. A requested signature link is dropped.
 */
const stateBefore = (proposal: ProposalIn<Cancellable>): Cancellable => {
  const { contract, status } = proposal
  switch (status) {
    case "SUBMITTING":
      return { status, contract, conflicting_reference: proposal.conflicting_reference }
    case "AWAITING_SIGNATURE":
      return { status, contract: proposal.contract, signature_url: proposal.signature_url, link_requested_at: null }
    case "DISBURSEMENT_FAILED":
      return { status, contract: proposal.contract, rejection: proposal.rejection }
    case "GUARANTEE_PENDING":
    case "DISBURSING":
      return { status, contract: proposal.contract }
  }
}

const isCancellable = (proposal: Proposal): proposal is ProposalIn<Cancellable> => {
  switch (proposal.status) {
    case "SUBMITTING":
    case "AWAITING_SIGNATURE":
    case "GUARANTEE_PENDING":
    case "DISBURSING":
    case "DISBURSEMENT_FAILED":
      return true
    default:
      return false
  }
}
