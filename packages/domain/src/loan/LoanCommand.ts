import { type NotFound } from "../hierarchy/Scope.ts"
import { type KycRequirements } from "../kyc/KycRequirements.ts"
import { type KycValues } from "../kyc/KycValues.ts"
import { type OperatorRate } from "../offer/FgtsPolicy.ts"
import { type FinalQuotation, type QuoteWish } from "../offer/Quote.ts"
import { type QuotedLender, type QuoteRouting } from "../offer/QuotePart.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type CalendarDate } from "../values/CalendarDate.ts"
import { type OfferId, type ProposalId, type QuoteId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import {
  type CancellationReason,
  type FrozenCommission,
  type SubmissionOrigin,
  type WithdrawalReason
} from "./ContractFacts.ts"
import { type LenderContract, type LenderExits } from "./LenderContract.ts"
import {
  type ApplicationNotCancellable,
  type ApplicationNotQuotable,
  type JobNotCancellable,
  type KycIncomplete,
  type KycLocked,
  type OfferNotAvailable,
  type ProposalNotWithdrawable,
  type QuoteInProgress,
  type SignatureNotPending
} from "./LoanRefusals.ts"
import { type Pledge } from "./pledges.ts"
import { type Acceptance, type OpenRequest, type Proposal } from "./Proposal.ts"
import { type RequestProblem } from "./ProposalEvent.ts"
import { type ProposalNumber } from "./ProposalNumber.ts"

/** A command of a loan. `at` is the current time. */
interface Command<Tag extends string> {
  readonly _tag: Tag
  readonly at: Timestamp
}

/** Requests a new quote. */
export interface RequestQuote extends Command<"RequestQuote"> {
  readonly quote_id: QuoteId
  readonly wish: QuoteWish
  /** The lender's current requirements for the KYC data. Absent: the application keeps the recorded ones. */
  readonly requirements?: KycRequirements
  /** The lenders of the quote, in the order of the routing. */
  readonly lenders?: ReadonlyArray<QuotedLender>
  /** Absent in an installation that was composed with one `Lender`. */
  readonly routing?: QuoteRouting
}

/** Records the result of a quote: the lender's answer, or a failure if the lender was unreachable. */
export interface RecordQuote extends Command<"RecordQuote">, OperatorRate {
  readonly quote_id: QuoteId
  readonly result: FinalQuotation | { readonly kind: "FAILED"; readonly rejection: RejectionReason }
  /** One id for each offer. */
  readonly offer_ids: ReadonlyArray<OfferId>
  /** The code of the lender that answered. It is stored in each offer. */
  readonly lender?: string
  /** The codes of the lenders that get quote requests now. Default: every lender. */
  readonly callable?: ReadonlyArray<string>
  /** The codes of the lenders whose circuit breaker withholds quote requests now. Default: none. */
  readonly withheld?: ReadonlyArray<string>
  /** True if the customer already had a paid contract at the lender (`hadPaidContract`). Default: false. */
  readonly is_known_customer?: boolean
  /** The first day on which no other contract blocks an acceptance (`blockedUntil`). Default: none blocks it. */
  readonly blocked_until?: CalendarDate | null
}

/** A lender, and the time of its postponed request. */
export interface PostponedLender {
  readonly lender: string
  readonly until: Timestamp
}

/** Continues a quote after its waiting time for a lender has passed (QUOTE-12). */
export interface PassPatience extends Command<"PassPatience"> {
  readonly quote_id: QuoteId
  /** The longest time for which the job of a pending lender can run, in milliseconds (QUOTE-13). */
  readonly deadline_ms: number
  /** The codes of the lenders that get new quotes now. Default: every lender. */
  readonly callable?: ReadonlyArray<string>
  /** The codes of the lenders whose circuit breaker withholds quote requests now. Default: none. */
  readonly withheld?: ReadonlyArray<string>
  /** The lender whose next request was postponed. Default: none. */
  readonly postponed?: PostponedLender
}

/** Submits KYC. */
export interface SubmitKyc extends Command<"SubmitKyc"> {
  /** The stored KYC with the submission merged into it. */
  readonly kyc: KycValues
  /** True if the submission contains disbursement data, even if that data is unchanged. */
  readonly has_disbursement_data: boolean
  /** The paths of the fields in the submission, changed or not. Default: the paths of the changed fields. */
  readonly submitted?: ReadonlyArray<string>
}

/** Accepts an offer. */
export interface AcceptOffer extends Command<"AcceptOffer">, OperatorRate {
  readonly offer_id: OfferId
  readonly proposal_id: ProposalId
  readonly number: ProposalNumber
  readonly created_by: string
  readonly acceptance: Acceptance
  /** The pledges of the customer's other proposals. `is_in_scope` is true if the caller may see the proposal. */
  readonly pledges: ReadonlyArray<Pledge>
  /** True if the customer already had a paid contract at the lender (`hadPaidContract`). Default: false. */
  readonly is_known_customer?: boolean
  /** The codes of the lenders whose offers can be accepted now. Default: every lender. */
  readonly contracting?: ReadonlyArray<string>
  /** The seller. Absent or null if it is unknown. */
  readonly origin?: SubmissionOrigin | null
  /** The frozen commission of the contract. Absent or null if there is none. */
  readonly commission?: FrozenCommission | null
}

/**
 * Records that the contract is about to be submitted to the lender. If its offer can no longer be contracted, cancels
 * the proposal with OFFER_EXPIRED instead (PROP-10).
 */
export interface StartSubmission extends Command<"StartSubmission">, OperatorRate {}

/** Records that the lender provably did not receive a submission. */
export interface RecordNotReceived extends Command<"RecordNotReceived"> {
  /** The `submitted_at` that this run of the job recorded before it called the lender. */
  readonly submitted_at: Timestamp
  /** The time at which this run of the job began. */
  readonly began_at: Timestamp
}

/** Records that the lender refuses the data of a submission. */
export interface RecordInvalid extends Command<"RecordInvalid"> {
  /**
   * The `submitted_at` of the proposal when the lender was called. If absent, the refusal applies to the current data,
   * whether it was sent or not.
   */
  readonly submitted_at?: Timestamp | null
  /** The refused fields, under the lender's names. */
  readonly fields: ReadonlyArray<string>
}

/** Records what the lender states about the contract. */
export interface RecordContract extends Command<"RecordContract"> {
  readonly contract: LenderContract
  /** The request that the lender answered with this contract. Absent if it answered a poll or any other request. */
  readonly answers?: "refund" | "signature_link"
  /** The proposal when the lender was called. Default: the present proposal. */
  readonly called_for?: Proposal | null
  /** The proposal that already has the reference of this contract. Default: no other proposal has it. */
  readonly reference_holder?: ProposalId | null
}

/** Records that the lender has no contract of the proposal, and will create none. */
export type RecordNoContract = Command<"RecordNoContract">

/** Records that the lender does not carry out the requested cancellation, refund or signature link. */
export interface RecordExitRefused extends Command<"RecordExitRefused"> {
  /** The refused request, as read before the lender was called. */
  readonly request: OpenRequest
  readonly cause: RequestProblem
}

/** Ends a proposal that a person did not continue in time (PROP-15). */
export type ExpireProposal = Command<"ExpireProposal">

/** Cancels the application. */
export interface CancelApplication extends Command<"CancelApplication"> {
  readonly reason: CancellationReason
  /** The requests that the lender supports. Null if unknown. */
  readonly exits: LenderExits | null
}

/** Cancels the durable job of a quote or of a contract, for the operator. */
export interface CancelJob extends Command<"CancelJob"> {
  readonly job:
    | { readonly kind: "quote"; readonly id: QuoteId; readonly lender?: string | undefined }
    | { readonly kind: "contract"; readonly id: ProposalId }
    | { readonly kind: "patience"; readonly id: QuoteId }
}

/** Withdraws the customer from a paid contract. */
export interface WithdrawFromProposal extends Command<"WithdrawFromProposal"> {
  readonly reason: WithdrawalReason
  /** The requests that the lender supports. Null if unknown. */
  readonly exits: LenderExits | null
}

/** Requests a new signature link. */
export interface RenewSignatureLink extends Command<"RenewSignatureLink"> {
  /** The requests that the lender supports. Null if unknown. */
  readonly exits: LenderExits | null
}

/** A requested change of a loan. The command and the loan contain every fact that `decide` needs. */
export type LoanCommand =
  | RequestQuote
  | RecordQuote
  | PassPatience
  | SubmitKyc
  | AcceptOffer
  | StartSubmission
  | RecordNotReceived
  | RecordInvalid
  | RecordContract
  | RecordNoContract
  | RecordExitRefused
  | ExpireProposal
  | CancelApplication
  | CancelJob
  | WithdrawFromProposal
  | RenewSignatureLink

/** The errors with which each command can be refused. A command that records the lender's answer is never refused. */
export interface LoanRefusals {
  readonly RequestQuote: QuoteInProgress | ApplicationNotQuotable
  readonly RecordQuote: never
  readonly PassPatience: never
  readonly SubmitKyc: KycLocked | KycIncomplete
  readonly AcceptOffer: NotFound | OfferNotAvailable | KycIncomplete
  readonly StartSubmission: never
  readonly RecordNotReceived: never
  readonly RecordInvalid: never
  readonly RecordContract: never
  readonly RecordNoContract: never
  readonly RecordExitRefused: never
  readonly ExpireProposal: never
  readonly CancelApplication: ApplicationNotCancellable
  readonly CancelJob: JobNotCancellable
  readonly WithdrawFromProposal: ProposalNotWithdrawable
  readonly RenewSignatureLink: SignatureNotPending
}

/** The errors with which a loan refuses a command. */
export type LoanRefusal = LoanRefusals[keyof LoanRefusals]
