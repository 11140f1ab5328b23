import { disbursementOf } from "../kyc/Disbursement.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type ContractUpdated, type ProposalEvent, type SignatureLinkRenewed, type StatedFacts } from "./LoanEvent.ts"
import {
  type Cancellable,
  type ContractAtLender,
  contractOf,
  type Paid,
  paymentOf,
  type Proposal,
  type ProposalFacts,
  type ProposalIn,
  type ProposalState
} from "./Proposal.ts"

/**
 * Applies an event to a proposal. The proposal is unchanged if its status lacks a field that the new state needs.
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
    case "DataCorrected": {
      const { kyc, left } = event
      const customer = { ...proposal.customer, name: kyc.name ?? proposal.customer.name }
      return { ...withCorrection(proposal, at, left), customer, disbursement: disbursementOf(kyc) }
    }
    case "ReferenceConflicted":
      return proposal.status === "SUBMITTING"
        ? { ...proposal, conflicting_reference: event.reference, updated_at: at }
        : proposal

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
    case "PaymentFailed": {
      const { rejection, stated } = event
      const contract = contractWith(proposal, stated)
      return enter(proposal, at, { status: "DISBURSEMENT_FAILED", contract, rejection }, rejection.code)
    }
    case "DisbursementCorrected": {
      const contract = contractOf(proposal)
      return contract === null ? proposal : {
        ...enter(proposal, at, { status: "DISBURSING", contract: { ...contract, required_action: null } }),
        disbursement: disbursementOf(event.kyc),
        disbursement_attempt: proposal.disbursement_attempt + 1
      }
    }
    case "CustomerPaid":
      return enter(proposal, at, paid(proposal, event.stated), proposal.status === "CANCELLING" ? "ALREADY_PAID" : null)

    // End of an unpaid contract.
    case "CancellationRequested":
      return canBecomeCancelling(proposal)
        ? enter(proposal, at, {
          status: "CANCELLING",
          contract: proposal.contract,
          cancellation: { reason: event.reason, requested_at: at },
          before: stateBefore(proposal)
        })
        : proposal
    case "CancellationRefused":
      return proposal.status === "CANCELLING"
        ? enter(proposal, at, proposal.before, `CANCELLATION_${event.cause}`)
        : proposal
    case "ContractCancelled": {
      const { reason, rejection, stated } = event
      const contract = stated === null ? withoutAction(contractOf(proposal)) : contractWith(proposal, stated)
      const immediate = reason === null ? null : { reason, requested_at: at }
      const cancellation = proposal.status === "CANCELLING" ? proposal.cancellation : immediate
      return enter(proposal, at, { status: "CANCELLED", contract, cancellation, rejection }, rejection.code)
    }
    case "ProposalExpired": {
      const { rejection } = event
      return enter(proposal, at, { status: "CANCELLED", contract: null, cancellation: null, rejection }, rejection.code)
    }
    case "ContractRejected": {
      const { rejection, stated } = event
      const contract = contractWith(proposal, stated)
      return enter(proposal, at, { status: "REJECTED", contract, rejection }, rejection.code)
    }

    // Reversal of the payment.
    case "WithdrawalRequested":
      return proposal.status === "PAID"
        ? enter(proposal, at, {
          status: "REFUND_PENDING",
          contract: proposal.contract,
          paid: proposal.paid,
          withdrawal: { reason: event.reason, requested_at: at, is_confirmed: false },
          refund: null
        })
        : proposal
    case "WithdrawalRefused":
      return proposal.status === "REFUND_PENDING"
        ? enter(
          proposal,
          at,
          { status: "PAID", contract: proposal.contract, paid: proposal.paid },
          `REFUND_${event.cause}`
        )
        : proposal
    case "RefundOffered": {
      const { refund, stated } = event
      const { contract, paid: payment } = paid(proposal, stated)
      if (proposal.status !== "REFUND_PENDING") {
        return enter(proposal, at, { status: "REFUND_PENDING", contract, paid: payment, withdrawal: null, refund })
      }
      const withdrawal = proposal.withdrawal === null ? null : { ...proposal.withdrawal, is_confirmed: true }
      return { ...proposal, contract, paid: payment, withdrawal, refund: refund ?? proposal.refund, updated_at: at }
    }
    case "RefundNotPaid":
      return enter(proposal, at, paid(proposal, event.stated), "REFUND_NOT_PAID")
    // A refund follows a request. A payment is reversed without one, so the proposal was PAID.
    case "ContractRefunded":
    case "PaymentReversed": {
      const { rejection, stated } = event
      const withdrawal = proposal.status === "REFUND_PENDING" ? proposal.withdrawal : null
      const state: ProposalState = { ...paid(proposal, stated), status: "REFUNDED", withdrawal, rejection }
      return enter(proposal, at, state, rejection.code)
    }

    // Repayment in full.
    case "ContractSettled": {
      const { settled_at, stated } = event
      return enter(proposal, at, { ...paid(proposal, stated), status: "SETTLED", settled_at })
    }

    // New facts. The status stays, except that a correction ends.
    case "SignatureLinkRequested":
      return proposal.status === "AWAITING_SIGNATURE"
        ? { ...proposal, link_requested_at: at, updated_at: at }
        : proposal
    case "SignatureLinkRefused":
      return proposal.status === "AWAITING_SIGNATURE"
        ? { ...proposal, link_requested_at: null, updated_at: at }
        : proposal
    case "SignatureLinkRenewed":
    case "ContractUpdated":
      return { ...withFacts(proposal, event), updated_at: at }
  }
}

/** Applies a correction. `left` are the fields that are still refused. Without any, the contract is submitted again. */
const withCorrection = (proposal: Proposal, at: Timestamp, left: ReadonlyArray<string>): Proposal => {
  if (left.length === 0) {
    return enter(proposal, at, { status: "SUBMITTING", contract: null, conflicting_reference: null })
  }
  return proposal.status === "CORRECTION_NEEDED" ? { ...proposal, refused_fields: left, updated_at: at } : proposal
}

const factsOf = (proposal: Proposal): ProposalFacts => ({
  proposal_id: proposal.proposal_id,
  number: proposal.number,
  offer_id: proposal.offer_id,
  created_by: proposal.created_by,
  created_at: proposal.created_at,
  updated_at: proposal.updated_at,
  acceptance: proposal.acceptance,
  origin: proposal.origin,
  commission: proposal.commission,
  lender: proposal.lender,
  customer: proposal.customer,
  status_history: proposal.status_history,
  submitted_at: proposal.submitted_at,
  invisible_events: proposal.invisible_events,
  disbursement: proposal.disbursement,
  disbursement_attempt: proposal.disbursement_attempt
})

const enter = (proposal: Proposal, at: Timestamp, state: ProposalState, reason: string | null = null): Proposal => ({
  ...factsOf(proposal),
  ...state,
  updated_at: at,
  status_history: [...proposal.status_history, { status: state.status, at, reason }]
})

/** Returns the contract with the facts that the lender states. Terms stay until the lender states others. */
const contractWith = (
  proposal: Proposal,
  { reference, required_action, terms }: StatedFacts
): ContractAtLender => ({ reference, terms: terms ?? contractOf(proposal)?.terms ?? null, required_action })

const withoutAction = (contract: ContractAtLender | null): ContractAtLender | null =>
  contract === null ? null : { ...contract, required_action: null }

/** Returns the state PAID. The payment stays until the lender states another one. */
const paid = (proposal: Proposal, stated: StatedFacts): Paid => ({
  status: "PAID",
  contract: contractWith(proposal, stated),
  paid: stated.paid ?? paymentOf(proposal)
})

/**
 * Returns a proposal with the facts that the lender states. The status stays, except that a correction ends: the lender
 * has the contract.
 */
const withFacts = (
  proposal: Proposal,
  { at, signature_url, stated }: ContractUpdated | SignatureLinkRenewed
): Proposal => {
  const contract = contractWith(proposal, stated)
  switch (proposal.status) {
    case "CORRECTION_NEEDED":
      return enter(proposal, at, { status: "SUBMITTING", contract, conflicting_reference: null })
    case "SUBMITTING":
      return { ...proposal, contract, conflicting_reference: null }
    case "AWAITING_SIGNATURE":
      return { ...proposal, contract, signature_url: signature_url ?? proposal.signature_url, link_requested_at: null }
    case "PAID":
      return { ...proposal, ...paid(proposal, stated) }
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

const canBecomeCancelling = (proposal: Proposal): proposal is ProposalIn<Cancellable> => {
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
