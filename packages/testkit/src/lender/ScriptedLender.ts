import {
  type ApplicationId,
  type ContractSubmission,
  type DisbursementResubmission,
  type LenderContract,
  type LenderQuoteRequest,
  type ProposalId
} from "@lastro/domain"
import { Context, type Effect } from "effect"
import { type QuoteAnswer } from "./quoteAnswers.ts"

/** A call of the lender, as it was made. */
export type LenderCall =
  | { readonly _tag: "Quote"; readonly request: LenderQuoteRequest }
  | { readonly _tag: "Submit"; readonly submission: ContractSubmission }
  | { readonly _tag: "Contract"; readonly reference: string }
  | { readonly _tag: "Resubmit"; readonly resubmission: DisbursementResubmission }

/**
 * What the lender makes of being told to do something. `done`: does it and says so; `lost`: does it, and the answer is lost;
 * `undone`: does nothing, and does not answer.
 */
export type LenderAction = "done" | "lost" | "undone"

/** A contract that exists at the lender. */
export interface ScriptedContract {
  readonly application_id: ApplicationId
  readonly proposal_id: ProposalId
  readonly contract: LenderContract
  /** The payments that were asked for, the first one first. */
  readonly payments: ReadonlyArray<ContractSubmission["disbursement"]>
}

/** One or more, one after the other. */
export type InTurn<A> = readonly [A, ...ReadonlyArray<A>]

/**
 * Scripts the lender beside it and tells what it was asked. Whatever the script, it keeps what the port promises: one contract
 * for each `proposal_id` and one payment for each `disbursement_attempt`, however often it is called.
 */
export class ScriptedLender extends Context.Service<ScriptedLender, {
  /** How the next quotes are answered, one after the other; the last answer is that of all that follow. */
  readonly answersQuotes: (...answers: InTurn<QuoteAnswer>) => Effect.Effect<void>
  /** What it makes of the next submissions and resubmissions, one after the other; the last deed stays. */
  readonly does: (...deeds: InTurn<LenderAction>) => Effect.Effect<void>
  /** How a contract stands once it is made, and after another payment: AWAITING_SIGNATURE and DISBURSING unless told. */
  readonly bringsContractsTo: (status: LenderContract["status"]) => Effect.Effect<void>
  /** Brings a contract somewhere, be it backwards; nothing happens to one that it does not have. */
  readonly moves: (
    proposal: ProposalId,
    status: LenderContract["status"],
    fields?: Partial<LenderContract>
  ) => Effect.Effect<void>
  /** Has it know a contract that it did not make, or replaces what it knows of it. */
  readonly knows: (contract: ScriptedContract) => Effect.Effect<void>
  /** Every call from the first on, unanswered ones included. */
  readonly calls: Effect.Effect<ReadonlyArray<LenderCall>>
  /** Every contract that it has. */
  readonly contracts: Effect.Effect<ReadonlyArray<ScriptedContract>>
}>()("@lastro/testkit/lender/ScriptedLender") {}
