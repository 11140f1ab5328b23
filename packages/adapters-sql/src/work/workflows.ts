import { ProposalId, QuoteId } from "@lastro/domain/id"
import { runQuote, submitContract } from "@lastro/domain/origination"
import { type Busy } from "@lastro/domain/transaction"
import { Effect, Layer, Schedule, Schema } from "effect"
import { Workflow } from "effect/workflow"

/**
 * The job of a quote. A job that was started before an upgrade must still run after it, so change the stored name and
 * payload only with a migration.
 */
export const QuoteWorkflow = Workflow.make("Quote", {
  payload: { quote_id: QuoteId },
  idempotencyKey: ({ quote_id }) => quote_id
}).annotate(Workflow.CaptureDefects, false)

/**
 * The job that submits a contract or requests a new payment. The job ends when the lender has confirmed the submission
 * or the request. After that, `pollContracts` polls the contract. Change the stored name and payload only with a
 * migration.
 */
export const ContractWorkflow = Workflow.make("Contract", {
  payload: { proposal_id: ProposalId, attempt: Schema.Int },
  idempotencyKey: ({ attempt, proposal_id }) => `${proposal_id}/${attempt}`
}).annotate(Workflow.CaptureDefects, false)

/** Exponential backoff with jitter, from 200 ms to 5 s. */
const backoff = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)

/** Retries for as long as the database is busy. */
const retryWhileBusy = <A, R>(effect: Effect.Effect<A, Busy, R>): Effect.Effect<A, never, R> =>
  // The schedule never ends, so no failure remains.
  Effect.orDie(Effect.retry(effect, backoff))

/**
 * Executes the jobs. A job has no steps, because `runQuote` and `submitContract` can safely run again at any time and
 * record their own results.
 */
export const layer = Layer.merge(
  QuoteWorkflow.toLayer(({ quote_id }) => retryWhileBusy(runQuote(quote_id))),
  ContractWorkflow.toLayer(({ proposal_id }) => retryWhileBusy(submitContract(proposal_id)))
)
