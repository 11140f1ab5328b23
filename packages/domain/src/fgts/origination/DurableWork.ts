import { Context, type Effect } from "effect"
import { type ProposalId } from "../../id/ProposalId.ts"
import { type QuoteId } from "../../id/QuoteId.ts"

/**
 * Work that was promised and has to be done, whatever crashes meanwhile. Starting it takes part in the transaction around it:
 * once that commits the work runs until it ends, on this node or another, again from its last step after a crash; when the
 * transaction is undone, so is the work. The same work is started once, however often it is asked for.
 */
export class DurableWork extends Context.Service<DurableWork, {
  /** Runs `runQuote`. */
  readonly startQuote: (quote: QuoteId) => Effect.Effect<void>
  /** Runs `submitContract`; `attempt` is the proposal's `disbursement_attempt`, and each is work of its own. */
  readonly startContract: (proposal: ProposalId, attempt: number) => Effect.Effect<void>
}>()("@lastro/domain/fgts/origination/DurableWork") {}
