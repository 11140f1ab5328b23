import { type Disbursement } from "../kyc/Disbursement.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type OfferId, type ProposalId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import {
  type CancellationReason,
  type ContractPayment,
  type ContractRefund,
  type RequiredAction,
  type SubmissionOrigin,
  type WithdrawalReason
} from "./ContractFacts.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"
import { type ProposalStatus } from "./ProposalStatus.ts"

export { isFinal, isSettled, proposalPath, ProposalStatus } from "./ProposalStatus.ts"

/** A change of status: new status, time and optional reason. */
export interface StatusChange {
  readonly status: ProposalStatus
  readonly at: Timestamp
  readonly reason: string | null
}

/** Evidence of the customer's acceptance, as sent by the API consumer. */
export interface Acceptance {
  readonly accepted_at: Timestamp
  readonly ip: string | null
  readonly user_agent: string | null
}

/** A request of the caller to cancel a contract. */
interface Cancellation {
  readonly reason: CancellationReason
  readonly requested_at: Timestamp
  /** The status to which the proposal returns if the lender cannot cancel. */
  readonly from: ProposalStatus
}

/** The customer's withdrawal from a paid contract. */
interface Withdrawal {
  readonly reason: WithdrawalReason
  readonly requested_at: Timestamp
  /** True once the lender has answered the request for the refund. */
  readonly is_confirmed: boolean
}

/**
 * A stored proposal: the loan contract that results from an accepted offer. Proposals that earlier versions of Lastro
 * stored lack the optional fields.
 */
export interface Proposal {
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly offer_id: OfferId
  /** The principal that accepted the offer. */
  readonly created_by: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly acceptance: Acceptance
  readonly origin?: SubmissionOrigin
  readonly customer: { readonly name: string; readonly cpf: Cpf }
  readonly status: ProposalStatus
  /** All statuses, oldest first. */
  readonly status_history: ReadonlyArray<StatusChange>
  /** The lender's reference for the contract; null until the lender has confirmed the contract. */
  readonly reference: string | null
  /** The link at which the customer signs. */
  readonly signature_url: string | null
  /** The reason for a cancellation, a rejection, a failed payment or a refund; otherwise null. */
  readonly rejection: RejectionReason | null
  readonly disbursement: Disbursement
  /** Number of the current payment attempt. It starts at 1 and increases with each correction of the disbursement data. */
  readonly disbursement_attempt: number
  /**
   * The time at which the submission to the lender started, recorded before the lender is called. Null: no submission
   * has started since the acceptance, or since the lender refused the data, so the lender provably has no contract.
   * Absent: the proposal is older than this field, and the lender may have a contract.
   */
  readonly asked_at?: Timestamp | null
  /**
   * Number of recorded starts of a submission. They change nothing that a caller can see, and are not part of the
   * visible version.
   */
  readonly submissions?: number
  /** The KYC fields that the lender refuses, while the status is CORRECTION_NEEDED. Empty if the lender names none. */
  readonly correction?: { readonly fields: ReadonlyArray<string> } | null
  /** The reference of another proposal's contract that the lender returned for this proposal (FGTS-27). */
  readonly conflicting_reference?: string | null
  readonly cancellation?: Cancellation | null
  readonly withdrawal?: Withdrawal | null
  /** The time at which a new signature link was requested, until the lender returns it. */
  readonly link_requested_at?: Timestamp | null
  readonly paid?: ContractPayment | null
  /** The lender's final terms, if they differ from the offer. */
  readonly terms?: PricedOffer | null
  readonly required_action?: RequiredAction | null
  readonly refund?: ContractRefund | null
}
