import { type KycValues } from "../kyc/KycValues.ts"
import { type RejectionReason } from "../offer/RejectionReason.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type CancellationReason, type WithdrawalReason } from "./ContractFacts.ts"
import { type LenderContract } from "./LenderContract.ts"
import { type ProposalStatus } from "./Proposal.ts"

/** The facts that the lender returned about a contract, apart from its status. */
export type ReturnedFacts = Pick<LenderContract, "paid" | "terms" | "required_action" | "refund">

/** An event of the contract at the lender. */
export type ContractEvent =
  | {
    /** The contract is about to be submitted. From now on, the lender may have it. */
    readonly _tag: "SubmissionStarted"
    readonly at: Timestamp
  }
  | {
    /** The lender refuses the submitted data and has created no contract. `fields` is empty if the lender names no field. */
    readonly _tag: "SubmissionRefused"
    readonly at: Timestamp
    readonly fields: ReadonlyArray<string>
  }
  | {
    /** Refused KYC fields were submitted again. If `left` is empty, the contract is submitted again. */
    readonly _tag: "KycCorrected"
    readonly at: Timestamp
    readonly kyc: KycValues
    /** The refused fields that have not been submitted again. */
    readonly left: ReadonlyArray<string>
  }
  | {
    readonly _tag: "ProposalMoved"
    readonly at: Timestamp
    readonly status: ProposalStatus
    /** Null if the proposal has no contract at the lender. */
    readonly reference: string | null
    readonly signature_url: string | null
    readonly rejection: RejectionReason | null
    /** The reason in the history. Default: the code of the rejection. */
    readonly reason?: string
    readonly returned?: ReturnedFacts
  }
  | {
    /** The status of the contract is unchanged, but other facts of the contract are new, for example its signature link. */
    readonly _tag: "ContractUpdated"
    readonly at: Timestamp
    readonly reference: string
    readonly signature_url: string | null
    readonly returned?: ReturnedFacts
  }
  | {
    /** The lender returned the contract of another proposal. */
    readonly _tag: "ReferenceConflicted"
    readonly at: Timestamp
    readonly reference: string
  }

/** An event of an exit: a cancellation, a withdrawal or a new signature link. */
export type ExitEvent =
  | {
    /** The application was cancelled before an offer was accepted. */
    readonly _tag: "ApplicationCancelled"
    readonly at: Timestamp
    readonly reason: CancellationReason
    readonly rejection: RejectionReason
  }
  | { readonly _tag: "CancellationRequested"; readonly at: Timestamp; readonly reason: CancellationReason }
  | { readonly _tag: "WithdrawalRequested"; readonly at: Timestamp; readonly reason: WithdrawalReason }
  | { readonly _tag: "SignatureLinkRequested"; readonly at: Timestamp }
  | {
    /**
     * The lender does not offer the requested cancellation, refund or signature link, or refuses it. The proposal
     * returns to the status that it had before the request.
     */
    readonly _tag: "ExitRefused"
    readonly at: Timestamp
    readonly status: ProposalStatus
    readonly reason: ExitProblem
  }

/** The reasons in the history for a return to an earlier status. */
type ExitProblem = `${"CANCELLATION" | "REFUND" | "SIGNATURE_LINK"}_${"UNSUPPORTED" | "REFUSED"}`
