import { Context, type Effect } from "effect"
import { type ProposalId, type QuoteId } from "../values/ids.ts"

/**
 * The jobs that {@link DurableWork} makes due: the job with this `id`, or the jobs of the quotes with this
 * `callback_key`. If `lender_state` is present, it replaces the stored one. `lender` is the code of the lender in whose
 * queue the job is. Default: the queue without a lender. Jobs in other queues are not affected.
 */
export type JobTarget =
  & { readonly lender?: string | undefined }
  & (
    | { readonly kind: "quote"; readonly id: QuoteId; readonly lender_state?: string }
    | { readonly kind: "quote"; readonly callback_key: string; readonly lender_state?: string }
    | { readonly kind: "contract"; readonly id: ProposalId }
    | { readonly kind: "patience"; readonly id: QuoteId }
  )

/**
 * Starts durable jobs. Starting a job joins the surrounding transaction. After a commit, the job runs to its end, on
 * this node or another, and resumes after a crash. After a rollback, it never runs. Starting a job again makes it run
 * again at once: a waiting job stops waiting, and a running job runs once more after its current run.
 *
 * The runs of a job continue the trace of the caller that last started it, also on another node (`runJob`).
 */
export class DurableWork extends Context.Service<DurableWork, {
  /**
   * Starts the job of a quote at a lender, which runs `runQuote`, in the queue of the lender. Default: the queue
   * without a lender.
   */
  readonly startQuote: (quote: QuoteId, lender?: string) => Effect.Effect<void>
  /** Starts the job of the waiting time of a quote, which runs `runPatience`. */
  readonly startPatience: (quote: QuoteId) => Effect.Effect<void>
  /**
   * Starts the job of a contract, which runs `runContract`, in the queue of the lender. Default: the queue without a
   * lender. Start it again when a new payment is requested.
   */
  readonly startContract: (proposal: ProposalId, lender?: string) => Effect.Effect<void>
  /**
   * Makes a waiting job due at once, and keeps its progress. A running job runs once more after its current run. A job
   * is made due at most once a second (JOB-05). An id without a job is ignored.
   *
   * A `lender_state` of the target is stored with the job, even if the job is not made due again. The next run receives
   * it. The outcome of a run that is in progress does not overwrite it.
   *
   * A `callback_key` is remembered for 15 minutes, with its `lender_state`. If a quote is assigned this key within that
   * time, its job becomes due at once (LENDER-22).
   */
  readonly makeDue: (target: JobTarget) => Effect.Effect<void>
}>()("@lastro/domain/origination/DurableWork") {}
