import { Context, type Effect } from "effect"
import { type ProposalId, type QuoteId } from "../../id/ids.ts"

/**
 * Starts durable jobs. Starting a job joins the surrounding transaction: after a commit the job runs to its end, on this node or
 * another, and is resumed after a crash; after a rollback it never runs. Starting the same job again has no effect.
 */
export class DurableWork extends Context.Service<DurableWork, {
  /** Runs `runQuote`. */
  readonly startQuote: (quote: QuoteId) => Effect.Effect<void>
  /** Runs `submitContract`; `attempt` is the proposal's `disbursement_attempt`, and each is work of its own. */
  readonly startContract: (proposal: ProposalId, attempt: number) => Effect.Effect<void>
}>()("@lastro/domain/fgts/origination/DurableWork") {}
