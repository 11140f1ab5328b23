import {
  type CallbackTarget,
  type InvalidField,
  type LenderCallback,
  type LenderQuoteRequest
} from "@lastro/domain/lender"
import {
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderCancellation,
  type LenderContract,
  type LenderExits,
  type LenderRefund
} from "@lastro/domain/loan"
import { type ApplicationId, type ProposalId } from "@lastro/domain/values"
import { Context, type Effect } from "effect"
import { type QuoteAnswer } from "./quoteAnswers.ts"

/** A recorded call to the lender. */
export type LenderCall =
  | { readonly _tag: "Quote"; readonly request: LenderQuoteRequest }
  | { readonly _tag: "Submit"; readonly submission: ContractSubmission }
  | { readonly _tag: "Contract"; readonly reference: string }
  | { readonly _tag: "Resubmit"; readonly resubmission: DisbursementResubmission }
  | { readonly _tag: "Cancel"; readonly cancellation: LenderCancellation }
  | { readonly _tag: "Refund"; readonly request: LenderRefund }
  | { readonly _tag: "SignatureLink"; readonly reference: string }

/**
 * The handling of a call.
 *
 * - `done`: the lender handles it and answers.
 * - `lost`: the lender handles it, but the answer is lost.
 * - `undone`: the lender neither handles it nor answers.
 * - `invalid`: the lender refuses the submission of a proposal without a contract. It handles any other call.
 */
export type LenderAction = "done" | "lost" | "undone" | { readonly invalid: ReadonlyArray<InvalidField> }

/**
 * The time at which the lender decides a cancellation. With `later`, the contract keeps its status until a test changes
 * it.
 */
export type CancellationScript = "at once" | "later"

/** A contract at the lender. */
export interface ScriptedContract {
  readonly application_id: ApplicationId
  readonly proposal_id: ProposalId
  readonly contract: LenderContract
  /** The disbursement data of each requested payment, oldest first. */
  readonly payments: ReadonlyArray<ContractSubmission["disbursement"]>
  /** The times of the requested refunds, oldest first. */
  readonly refunds?: ReadonlyArray<string>
}

/** Reads a callback. Returns its quotes or contracts, or null if the callback is refused. */
export type ReadCallback = (callback: LenderCallback) => ReadonlyArray<CallbackTarget> | null

/** One or more items, which are used in order. */
export type InTurn<A> = readonly [A, ...ReadonlyArray<A>]

/**
 * Scripts a lender and records its calls. With every script, the lender is idempotent: it makes one contract for each
 * `proposal_id`, and one payment for each `disbursement_attempt`. After the cancellation of a proposal without a
 * contract, it never creates a contract for this proposal.
 */
export class ScriptedLender extends Context.Service<ScriptedLender, {
  /** Sets the answers to the next quote requests, in order. The last answer repeats. */
  readonly setQuoteAnswers: (...answers: InTurn<QuoteAnswer>) => Effect.Effect<void>
  /** Sets the handling of the next calls about contracts, in order. The last action repeats. Polls always succeed. */
  readonly setActions: (...actions: InTurn<LenderAction>) => Effect.Effect<void>
  /**
   * Sets the status of contracts after their submission and after a resubmitted payment. Default: AWAITING_SIGNATURE
   * after the submission, DISBURSING after the payment.
   */
  readonly setContractStatus: (status: LenderContract["status"]) => Effect.Effect<void>
  /**
   * Sets the requests that the lender supports (cancellation, refund, new signature link). Null: calls of `exits` get
   * no answer. Default: all.
   */
  readonly setExits: (exits: LenderExits | null) => Effect.Effect<void>
  /** Sets the handling of cancellations. Default: at once. */
  readonly setCancellation: (script: CancellationScript) => Effect.Effect<void>
  /** Changes the status of a contract to any status, even to an earlier one. Ignores unknown contracts. */
  readonly moveContract: (
    proposal: ProposalId,
    status: LenderContract["status"],
    fields?: Partial<LenderContract>
  ) => Effect.Effect<void>
  /** Adds or replaces a contract. */
  readonly addContract: (contract: ScriptedContract) => Effect.Effect<void>
  /** Sets the function that reads callbacks. Default: every callback is refused. */
  readonly setCallbacks: (read: ReadCallback) => Effect.Effect<void>
  /** All calls, oldest first, including unanswered ones. */
  readonly calls: Effect.Effect<ReadonlyArray<LenderCall>>
  /** All contracts. */
  readonly contracts: Effect.Effect<ReadonlyArray<ScriptedContract>>
}>()("@lastro/testkit/lender/ScriptedLender") {}
