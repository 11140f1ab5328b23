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
 * The status of a contract at the lender. In IN_ANALYSIS, the lender examines the contract and nothing can be signed
 * yet. The proposal is then SUBMITTING.
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
  /** The idempotency key: the lender creates one contract for each proposal. */
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
  /** The seller of the contract. Null for a proposal accepted before Lastro recorded sellers. */
  readonly origin: SubmissionOrigin | null
}

/** The state of a contract at the lender. An absent field means the same as null. */
export interface LenderContract {
  /**
   * The lender's reference for the contract, used in later calls. Unique among all proposals. A new payment attempt can
   * change it. 1 to 256 characters, without NUL and without personal data.
   */
  readonly reference: string
  readonly status: LenderContractStatus
  /** The signature link; null while there is nothing to sign. */
  readonly signature_url: string | null
  /** The reason for a cancellation, a rejection, a failed payment or a refund; otherwise null. */
  readonly rejection: RejectionReason | null
  /**
   * The number of the payment attempt to which `status` refers. It is 1 for the submission. Later it is the
   * `disbursement_attempt` of the last resubmission. A retry by the lender itself does not change it.
   */
  readonly disbursement_attempt: number
  /** The payment, once it was made. */
  readonly paid?: ContractPayment | null
  /** The final terms, if they differ from the offer. */
  readonly terms?: PricedOffer | null
  readonly required_action?: RequiredAction | null
  /** Present while the status is REFUND_PENDING. */
  readonly refund?: ContractRefund | null
  /** The time of the settlement, if the status is SETTLED. Without it, the time of the answer counts. */
  readonly settled_at?: Timestamp | null
}

/** A request to retry a failed payment with corrected data. */
export interface DisbursementResubmission {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly disbursement: Disbursement
  /** Number of the new payment attempt. Together with `proposal_id`, it is the idempotency key of the payment. */
  readonly disbursement_attempt: number
  readonly requested_at: Timestamp
}

/**
 * The requests that a lender supports: a cancellation, a refund, and a new signature link. The API and the lender
 * protocol call all three exits, although a new signature link ends nothing.
 */
export interface LenderExits {
  /** True if the lender can cancel unpaid contracts, and can find them by `proposal_id`. */
  readonly cancel: boolean
  /** True if the lender can refund paid contracts. */
  readonly refund: boolean
  /** True if the lender can create new signature links. */
  readonly signature_link: boolean
}

/** For a lender that supports none of these requests. */
export const noExits: LenderExits = { cancel: false, refund: false, signature_link: false }

/** A request to cancel a contract. */
export interface LenderCancellation {
  readonly proposal_id: ProposalId
  /**
   * Null if the lender's answer to the submission was lost. The lender must then find the contract by `proposal_id`.
   */
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
