import { Context, type Effect } from "effect"
import { type ProposalId, type QuoteId } from "../../id/ids.ts"

/**
 * Starts durable jobs. Starting a job joins the surrounding transaction. After a commit, the job runs to its end, on this node or another,
 * and resumes after a crash. After a rollback, it never runs. Starting the same job again has no effect.
 */
export class DurableWork extends Context.Service<DurableWork, {
  /** Starts a job that runs `runQuote`. */
  readonly startQuote: (quote: QuoteId) => Effect.Effect<void>
  /** Starts a job that runs `submitContract`. `attempt` is the proposal's `disbursement_attempt`. Each attempt is a separate job. */
  readonly startContract: (proposal: ProposalId, attempt: number) => Effect.Effect<void>
}>()("@lastro/domain/fgts/origination/DurableWork") {}
