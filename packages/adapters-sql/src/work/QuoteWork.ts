import { QuoteId, runQuote } from "@lastro/domain"
import { Workflow } from "effect/workflow"
import { untilFree } from "./untilFree.ts"

/**
 * The work on a quote. Names and payload are stored, and work that was started before an update has to be understood after it:
 * they only change with a migration.
 */
export const QuoteWork = Workflow.make("Quote", {
  payload: { quote_id: QuoteId },
  idempotencyKey: ({ quote_id }) => quote_id
}).annotate(Workflow.CaptureDefects, false)

/** Does the work on quotes: no steps within, because `runQuote` may be run again at any time and records what it learns itself. */
export const layer = QuoteWork.toLayer(({ quote_id }) => untilFree(runQuote(quote_id)))
