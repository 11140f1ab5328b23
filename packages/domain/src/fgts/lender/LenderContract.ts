import { type Cpf } from "../../documents/Cpf.ts"
import { type DocumentNumber } from "../../documents/DocumentNumber.ts"
import { type ApplicationId, type PartnerId, type ProposalId } from "../../id/ids.ts"
import { type Centavos } from "../../money/Centavos.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Acceptance, ProposalStatus } from "../contract/Proposal.ts"
import { type Customer } from "../kyc/Customer.ts"
import { type Disbursement } from "../kyc/Disbursement.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type PricedOffer } from "../pricing/PricedOffer.ts"
import { type Offer } from "../quote/Offer.ts"
import { type RejectionReason } from "../quote/RejectionReason.ts"

/** Who sold a contract: the partner, and the user or API client that accepted the offer. */
export interface SubmissionOrigin {
  readonly partner: { readonly partner_id: PartnerId; readonly document_number: DocumentNumber }
  readonly agent: {
    /** The user id or the `client_id`. */
    readonly id: string
    /** The name of a user; null for an API client. */
    readonly name: string | null
    /** The CPF of a user; null if it has none, and for an API client. */
    readonly cpf: Cpf | null
  }
}

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
  /** Null for a proposal that was accepted before origins were recorded. */
  readonly origin: SubmissionOrigin | null
}

/** The status of a contract at the lender. */
export type LenderContractStatus = Exclude<ProposalStatus, "SUBMITTING" | "CORRECTION_NEEDED" | "CANCELLING">

/** All statuses of a contract at the lender. */
export const lenderContractStatuses: ReadonlyArray<LenderContractStatus> = ProposalStatus.literals.filter((status) =>
  status !== "SUBMITTING" && status !== "CORRECTION_NEEDED" && status !== "CANCELLING"
)

/** The payment of a contract to the customer. */
export interface ContractPayment {
  readonly amount: Centavos
  readonly at: Timestamp
  /** The end-to-end id of the PIX or TED payment; null if unknown. */
  readonly end_to_end_id: string | null
}

/** How the customer pays a refunded contract back. */
export interface ContractRefund {
  readonly amount: Centavos
  /** The PIX code that the customer copies into the app of their bank. */
  readonly pix_copy_paste: string
  readonly expires_at: Timestamp
}

/** Something that the lender requires before the contract can go on. */
export interface RequiredAction {
  readonly code: string
  readonly url: string | null
  /** The paths of KYC fields, for example `address.zipcode`. */
  readonly fields: ReadonlyArray<string>
}

/** The state of a contract at the lender. An absent field means the same as null. */
export interface LenderContract {
  /**
   * The lender's reference for the contract, used in later calls. It is unique: no other proposal has it. A new payment attempt may change it.
   * It must not contain personal data.
   */
  readonly reference: string
  readonly status: LenderContractStatus
  /** The signature link; null while there is nothing to sign. */
  readonly signature_url: string | null
  /** The reason for a cancellation, a rejection, a failed payment or a refund; otherwise null. */
  readonly rejection: RejectionReason | null
  /** Number of the payment attempt that this status refers to, starting at 1. */
  readonly disbursement_attempt: number
  /** The payment, once it was made. */
  readonly paid?: ContractPayment | null
  /** The final terms, if they differ from the offer. */
  readonly terms?: PricedOffer | null
  readonly required_action?: RequiredAction | null
  /** Present while the status is REFUND_PENDING. */
  readonly refund?: ContractRefund | null
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

/** The exits that a lender offers. */
export interface LenderExits {
  /** Contracts can be cancelled before they are paid, and be looked up by `proposal_id`. */
  readonly cancel: boolean
  /** Paid contracts can be refunded. */
  readonly refund: boolean
  /** New signature links can be requested. */
  readonly signature_link: boolean
}

/** A lender without exits. */
export const noExits: LenderExits = { cancel: false, refund: false, signature_link: false }

/** A request to cancel a contract. */
export interface LenderCancellation {
  readonly proposal_id: ProposalId
  /** Null if the lender's answer to the submission was lost: the lender then looks the contract up by `proposal_id`. */
  readonly reference: string | null
  readonly reason: CancellationReason
  readonly requested_at: Timestamp
}

/** The reasons for which a caller cancels an application. */
export const cancellationReasons = ["CUSTOMER_REQUEST", "DUPLICATE", "DATA_ERROR", "OTHER"] as const
export type CancellationReason = typeof cancellationReasons[number]

/** The reasons for which a customer withdraws from a paid contract. */
export const withdrawalReasons = ["CUSTOMER_REQUEST", "OTHER"] as const
export type WithdrawalReason = typeof withdrawalReasons[number]

/** A request to refund a paid contract. */
export interface LenderRefund {
  readonly proposal_id: ProposalId
  readonly reference: string
  readonly reason: WithdrawalReason
  readonly requested_at: Timestamp
}
