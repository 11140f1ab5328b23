import { type KycValues } from "../kyc/KycValues.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import {
  type CancellationReason,
  type ContractPayment,
  type ContractRefund,
  type WithdrawalReason
} from "./ContractFacts.ts"
import { type ContractAtLender } from "./Proposal.ts"

/** An event of a loan. */
export interface Event<Tag extends string> {
  readonly _tag: Tag
  readonly at: Timestamp
}

/**
 * The contract is about to be sent to the lender, and may never arrive. From now on, the lender may have the contract.
 */
export type ContractSubmitted = Event<"ContractSubmitted">

/**
 * The lender provably did not receive the submission. Until the next submission, it has no contract with the current
 * data.
 */
export type SubmissionNotReceived = Event<"SubmissionNotReceived">

/** The lender refuses the submitted data and has created no contract. */
export interface SubmissionRefused extends Event<"SubmissionRefused"> {
  /** The KYC fields that must be submitted again (PROP-07). Empty if the lender names no required field. */
  readonly fields: ReadonlyArray<string>
}

/** Refused KYC fields were submitted again. If `left` is empty, the contract is submitted again. */
export interface DataCorrected extends Event<"DataCorrected"> {
  readonly kyc: KycValues
  /** The refused fields that have not been submitted again. */
  readonly left: ReadonlyArray<string>
}

/** The lender returned the contract of another proposal. */
export interface ReferenceConflicted extends Event<"ReferenceConflicted"> {
  readonly reference: string
}

/** The facts that the lender states about a contract in any status. */
export interface StatedFacts extends ContractAtLender {
  /** The payment to the customer. Null if the lender states none. */
  readonly paid: ContractPayment | null
}

/** An event that the lender reports, with the facts that it states about the contract. */
interface LenderEvent<Tag extends string> extends Event<Tag> {
  readonly stated: StatedFacts
}

/** The lender created the contract, and the customer must sign it. */
export interface SignatureRequested extends LenderEvent<"SignatureRequested"> {
  /** The link at which the customer signs. Null if the lender has not returned one. */
  readonly signature_url: string | null
}

/** The customer signed the contract. */
export type ContractSigned = LenderEvent<"ContractSigned">

/** The annual withdrawals are reserved as a guarantee, and the payment starts. */
export type GuaranteeConfirmed = LenderEvent<"GuaranteeConfirmed">

/** The payment to the customer failed. */
export interface PaymentFailed extends LenderEvent<"PaymentFailed"> {
  readonly rejection: RejectionReason
}

/** The lender retries a failed payment. */
export type PaymentRetried = LenderEvent<"PaymentRetried">

/** The disbursement data was corrected after a failed payment, and the payment is retried. */
export interface DisbursementCorrected extends Event<"DisbursementCorrected"> {
  readonly kyc: KycValues
}

/** The lender paid the loan to the customer. */
export type CustomerPaid = LenderEvent<"CustomerPaid">

/** The lender rejected the contract. */
export interface ContractRejected extends LenderEvent<"ContractRejected"> {
  readonly rejection: RejectionReason
}

/** The contract was cancelled before a payment. */
export interface ContractCancelled extends Event<"ContractCancelled"> {
  /** Null if the lender has no contract. */
  readonly stated: StatedFacts | null
  /** The caller's reason, if the caller cancelled a contract that the lender does not have. Otherwise null. */
  readonly reason: CancellationReason | null
  readonly rejection: RejectionReason
}

/** A person did not continue the proposal in time. The lender has not confirmed a contract. */
export interface ProposalExpired extends Event<"ProposalExpired"> {
  readonly rejection: RejectionReason
}

/**
 * The lender accepted the requested refund, or began a reversal on its own. The event is repeated if the lender then
 * states new facts, such as the payment with which the customer must pay the money back.
 */
export interface RefundOffered extends LenderEvent<"RefundOffered"> {
  /** Null if the lender has not stated the payment yet. */
  readonly refund: ContractRefund | null
}

/** The customer did not pay the money back in time. The contract stays paid. */
export type RefundNotPaid = LenderEvent<"RefundNotPaid">

/** The customer paid the loan back, or the lender ended the contract without waiting for it. */
export interface ContractRefunded extends LenderEvent<"ContractRefunded"> {
  readonly rejection: RejectionReason
}

/** The lender or CAIXA reversed a paid contract on its own. */
export interface PaymentReversed extends LenderEvent<"PaymentReversed"> {
  readonly rejection: RejectionReason
}

/** The contract was repaid in full. Its annual withdrawals are no longer pledged. */
export interface ContractSettled extends LenderEvent<"ContractSettled"> {
  /** The time of the settlement. */
  readonly settled_at: Timestamp
}

/** The lender returned the requested signature link. */
export interface SignatureLinkRenewed extends LenderEvent<"SignatureLinkRenewed"> {
  readonly signature_url: string | null
}

/**
 * Another fact of the contract changed: its reference, terms, payment, required action, first signature link, or the
 * reason of its failed payment.
 */
export interface ContractUpdated extends LenderEvent<"ContractUpdated"> {
  readonly signature_url: string | null
  /** The reason of a failed payment. Null if the lender states none. */
  readonly rejection: RejectionReason | null
}

/** The cancellation of the contract was requested from the lender. */
export interface CancellationRequested extends Event<"CancellationRequested"> {
  readonly reason: CancellationReason
}

/** The customer withdrew from the paid contract (desistência, not the annual withdrawal). */
export interface WithdrawalRequested extends Event<"WithdrawalRequested"> {
  readonly reason: WithdrawalReason
}

/** A new signature link was requested. */
export type SignatureLinkRequested = Event<"SignatureLinkRequested">

/** UNSUPPORTED: the lender does not support the request. REFUSED: the lender refuses it for this contract. */
export type RequestProblem = "UNSUPPORTED" | "REFUSED"

/** The lender cannot cancel the contract, or refuses to. */
export interface CancellationRefused extends Event<"CancellationRefused"> {
  readonly cause: RequestProblem
}

/** The lender cannot refund the contract, or refuses to. */
export interface WithdrawalRefused extends Event<"WithdrawalRefused"> {
  readonly cause: RequestProblem
}

/** The lender cannot renew the signature link, or refuses to. */
export interface SignatureLinkRefused extends Event<"SignatureLinkRefused"> {
  readonly cause: RequestProblem
}

/** An event between the acceptance of an offer and the end of its contract. */
export type ProposalEvent =
  | CancellationRefused
  | CancellationRequested
  | ContractCancelled
  | ContractRefunded
  | ContractRejected
  | ContractSettled
  | ContractSigned
  | ContractSubmitted
  | ContractUpdated
  | CustomerPaid
  | DataCorrected
  | DisbursementCorrected
  | GuaranteeConfirmed
  | PaymentFailed
  | PaymentRetried
  | PaymentReversed
  | ProposalExpired
  | ReferenceConflicted
  | RefundNotPaid
  | RefundOffered
  | SignatureLinkRefused
  | SignatureLinkRenewed
  | SignatureLinkRequested
  | SignatureRequested
  | SubmissionNotReceived
  | SubmissionRefused
  | WithdrawalRefused
  | WithdrawalRequested
