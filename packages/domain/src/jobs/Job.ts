import { type CallTicket } from "../lender/callWithinLimits.ts"
import { isLenderCode } from "../lender/Lenders.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { isUnfinished } from "../loan/ApplicationStatus.ts"
import { type Proposal } from "../loan/Proposal.ts"
import { partsOf } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { type ProposalId, type QuoteId } from "../values/ids.ts"

/**
 * A durable job. The job of a quote requests the quote from a lender. The job of a contract submits the contract to the
 * lender, and then polls it until its status is final. The job of a patience continues a quote that waits too long for
 * a lender, and ends the parts of overdue lenders.
 *
 * `lender` is the code of the lender of the quote or contract. Absent in an installation that was composed with one
 * `Lender`.
 */
export type Job =
  | { readonly kind: "quote"; readonly id: QuoteId; readonly lender?: string | undefined }
  | { readonly kind: "contract"; readonly id: ProposalId; readonly lender?: string | undefined }
  | { readonly kind: "patience"; readonly id: QuoteId }

/** The kinds of durable jobs. */
export const jobKinds = ["quote", "contract", "patience"] as const satisfies ReadonlyArray<Job["kind"]>

/**
 * Each lender has queues of its own, so that a slow lender delays no job of another. The queue of a job is stored with
 * it: its kind, and, after a colon, the code of its lender.
 * @rule JOB-10
 */
export const queueOf = (job: Job): string =>
  job.kind === "patience" || job.lender === undefined ? job.kind : `${job.kind}:${job.lender}`

/** Returns the job of a queue. Undefined if this version runs no jobs of the queue. */
export const jobInQueue = (queue: string, id: string): Job | undefined => {
  const [kind, lender, ...rest] = queue.split(":")
  if (rest.length > 0 || lender === "") return undefined
  switch (kind) {
    case "quote":
      return { kind, id: id as QuoteId, ...(lender === undefined ? {} : { lender }) }
    case "contract":
      return { kind, id: id as ProposalId, ...(lender === undefined ? {} : { lender }) }
    case "patience":
      return lender === undefined ? { kind, id: id as QuoteId } : undefined
    default:
      return undefined
  }
}

/** Returns the queues whose jobs an installation with these lenders runs. */
export const queuesOf = (codes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...jobKinds,
  ...codes.filter(isLenderCode).flatMap((code) => [`quote:${code}`, `contract:${code}`])
]

/** Returns the unique name of a job: its queue and its id. */
export const jobName = (job: Job): string => `${queueOf(job)}/${job.id}`

/** The progress of a job. It is stored with the job, so that a crash does not reset it. */
export interface JobProgress {
  /**
   * Number of the next call to the lender, starting at 1. It is 0 after the lender has answered. These calls are not
   * counted: a call that the circuit breaker withheld because of other jobs, a quote request that was answered PENDING,
   * and a throttled call.
   */
  readonly attempt: number
  /** Number of delays between runs since the start of the job or since the lender's last answer. */
  readonly pauses: number
  /**
   * Of a quote: the `lender_state` of the lender's last PENDING answer, or of a later callback. Absent if there is
   * none.
   */
  readonly lender_state?: string | null
  /** The `callback_key` of the lender's last PENDING answer. */
  readonly callback_key?: string | null
  /**
   * Of a contract: the reference of a contract that must be cancelled at the lender, because the proposal is cancelled
   * (FGTS-53). Absent if there is none.
   */
  readonly unwanted_reference?: string | null
  /** Of a contract: true if the next run polls it, before a later run repeats the unanswered call. Default: false. */
  readonly is_poll_next?: boolean
  /** The time that is reserved for the next call to the lender, while the job waits for it. */
  readonly slot_at?: number | null
}

/** The progress of a job that starts. */
export const jobStarted: JobProgress = { attempt: 1, pauses: 0 }

/** The progress of a job whose call the lender has answered. From then on, the job polls the contract. */
export const jobAnswered: JobProgress = { attempt: 0, pauses: 0 }

/**
 * The outcome of one run of a job, which determines the next run:
 * - DONE: there is no next run. The job has ended.
 * - RETRY: there is no answer yet. Run the job again after `after_ms`, with this progress.
 * - WAIT: the lender answered, and still processes the contract. Run the job again after `after_ms`, with {@link jobAnswered}.
 */
export type JobOutcome =
  | { readonly _tag: "DONE" }
  | { readonly _tag: "RETRY"; readonly after_ms: number; readonly progress: JobProgress }
  | { readonly _tag: "WAIT"; readonly after_ms: number }

/** Returns the place of a job in the queue of calls to the lender. */
export const ticketOf = (job: Job, { slot_at = null }: JobProgress): CallTicket => ({ ticket: jobName(job), slot_at })

/** The outcome of a job that has ended. */
export const jobDone: JobOutcome = { _tag: "DONE" }

/** Returns the jobs of the pending lenders of a quote, and the job of its patience. */
const jobsOfQuote = (quote: Quote): ReadonlyArray<Job> => {
  const { outcome, quote_id: id, routing } = quote
  if (routing === undefined) return outcome === "PENDING" ? [{ kind: "quote", id }] : []
  const parts = partsOf(quote)
    .filter((part) => part.outcome === "PENDING")
    .map(({ lender }): Job => ({ kind: "quote", id, lender: lender.code }))
  return parts.length > 0 || outcome === "PENDING" ? [...parts, { kind: "patience", id }] : parts
}

const jobOfContract = ({ lender, proposal_id }: Pick<Proposal, "lender" | "proposal_id">): Job => ({
  kind: "contract",
  id: proposal_id,
  ...(lender === null ? {} : { lender: lender.code })
})

/**
 * An unfinished application has the job of its contract, or, if no offer is accepted, one job for each pending lender
 * of its latest quote, and one for the patience of the quote. If the KYC of a contract must be corrected, its job waits
 * until the proposal expires, and then ends the proposal (FGTS-54). A finished application needs no job. The job of a
 * paid contract still polls the contract, and ends with the last poll (PROP-13, PROP-17). The lenders that are still
 * pending after the quote was completed have jobs, too, and so has its patience.
 * @rule JOB-02
 */
export const jobsOf = (application: Application): ReadonlyArray<Job> => {
  const { cancellation, proposal } = application
  if (proposal !== null) return isUnfinished(application) ? [jobOfContract(proposal)] : []
  return cancellation === null ? jobsOfQuote(latestQuote(application)) : []
}
