import { type Disbursement } from "../kyc/Disbursement.ts"
import { type Customer, type KycValues } from "../kyc/KycValues.ts"
import { type Offer } from "../offer/Offer.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type ApplicationId, type ProposalId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import {
  type CancellationReason,
  type ContractPayment,
  type ContractRefund,
  type RequiredAction,
  type SubmissionOrigin,
  type WithdrawalReason
} from "./ContractFacts.ts"
import { type Acceptance, ProposalStatus } from "./Proposal.ts"

/**
 * The status of a contract at the lender. IN_ANALYSIS: the lender examines the contract, and there is nothing to sign
 * yet. The proposal is then still SUBMITTING.
 */
export type LenderContractStatus =
  | "IN_ANALYSIS"
  | Exclude<ProposalStatus, "SUBMITTING" | "CORRECTION_NEEDED" | "CANCELLING">

/** All statuses of a contract at the lender. */
export const lenderContractStatuses: ReadonlyArray<LenderContractStatus> = [
  "IN_ANALYSIS",
  ...ProposalStatus.literals.filter((status) =>
    status !== "SUBMITTING" && status !== "CORRECTION_NEEDED" && status !== "CANCELLING"
  )
]

/** The submission of a contract to the lender. */
export interface ContractSubmission {
  /** The idempotency key of the contract. */
  readonly proposal_id: ProposalId
  readonly application_id: ApplicationId
  /** The time at which the acceptance was recorded. */
  readonly accepted_at: Timestamp
  /** The evidence of the customer's acceptance. */
  readonly acceptance: Acceptance
  /** The accepted offer with its `lender_ref`. */
  readonly offer: Offer
  readonly customer: Customer
  readonly kyc: KycValues
  readonly disbursement: Disbursement
  /** The seller of the contract. Null for a proposal that was accepted before Lastro recorded sellers. */
  readonly origin: SubmissionOrigin | null
}

/** The state of a contract at the lender. An absent field means the same as null. */
export interface LenderContract {
  /**
   * The lender's reference for the contract, used in later calls. It is unique: no other proposal has it. A new payment
   * attempt can change it. It has 1 to 256 characters, without NUL, and must not contain personal data.
   */
  readonly reference: string
  readonly status: LenderContractStatus
  /** The signature link; null while there is nothing to sign. */
  readonly signature_url: string | null
  /** The reason for a cancellation, a rejection, a failed payment or a refund; otherwise null. */
  readonly rejection: RejectionReason | null
  /**
   * Number of the payment attempt to which this status refers: 1 for the submission, then the `disbursement_attempt` of
   * the last request for a payment with corrected data. A retry by the lender itself does not change it.
   */
  readonly disbursement_attempt: number
  /** The payment, once it was made. */
  readonly paid?: ContractPayment | null
  /** The final terms, if they differ from the offer. */
  readonly terms?: PricedOffer | null
  readonly required_action?: RequiredAction | null
  /** Present while the status is REFUND_PENDING. */
  readonly refund?: ContractRefund | null
  /** The time at which the contract was settled, if the status is SETTLED. Absent or null: the time of the answer. */
  readonly settled_at?: Timestamp | null
}

/** A request to retry a failed payment. */
export interface DisbursementResubmission {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly disbursement: Disbursement
  /** Number of the new payment attempt. Together with `proposal_id`, it is the idempotency key of the payment. */
  readonly disbursement_attempt: number
  readonly requested_at: Timestamp
}

/** The exits that a lender supports: requests that end a contract early, or that renew its signature link. */
export interface LenderExits {
  /** True if the lender can cancel contracts before they are paid, and can find them by `proposal_id`. */
  readonly cancel: boolean
  /** True if the lender can refund paid contracts. */
  readonly refund: boolean
  /** True if the lender can create new signature links. */
  readonly signature_link: boolean
}

/** The exits of a lender that supports no cancellation, no refund and no new signature links. */
export const noExits: LenderExits = { cancel: false, refund: false, signature_link: false }

/** A request to cancel a contract. */
export interface LenderCancellation {
  readonly proposal_id: ProposalId
  /** Null if the lender's answer to the submission was lost. The lender then finds the contract by `proposal_id`. */
  readonly reference: string | null
  readonly reason: CancellationReason
  readonly requested_at: Timestamp
}

/** A request to refund a paid contract. */
export interface LenderRefund {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly reason: WithdrawalReason
  readonly requested_at: Timestamp
}
