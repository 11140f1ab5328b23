import { type CallTicket } from "../lender/callWithinLimits.ts"
import { isLenderCode } from "../lender/Lenders.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { isUnfinished } from "../loan/ApplicationStatus.ts"
import { type Proposal } from "../loan/Proposal.ts"
import { partsOf } from "../loan/quoteParts.ts"
import { type Quote } from "../offer/Quote.ts"
import { type ProposalId, type QuoteId } from "../values/ids.ts"

/**
 * A durable job.
 *
 * - quote: requests a quote from one lender.
 * - contract: submits a contract to its lender, then polls it until its status is final.
 * - patience: continues a quote when its waiting time for a lender has passed, and fails overdue lenders.
 *
 * `lender` is the code of the lender. Absent in an installation that was composed with one `Lender`.
 */
export type Job =
  | { readonly kind: "quote"; readonly id: QuoteId; readonly lender?: string | undefined }
  | { readonly kind: "contract"; readonly id: ProposalId; readonly lender?: string | undefined }
  | { readonly kind: "patience"; readonly id: QuoteId }

/** The kinds of durable jobs. They are stored, so a kind never changes its meaning. */
export const jobKinds = ["quote", "contract", "patience"] as const satisfies ReadonlyArray<Job["kind"]>

/**
 * Each lender has queues of its own, so that a slow lender delays no job of another lender. The name of the queue is
 * stored with the job: `kind:lender`, or only `kind` for a job without a lender.
 * @rule JOB-10
 */
export const queueOf = (job: Job): string =>
  job.kind === "patience" || job.lender === undefined ? job.kind : `${job.kind}:${job.lender}`

/** Returns the job of a queue. Undefined if this version of Lastro does not run the jobs of this queue. */
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

/** The progress of a job. It is stored with the job and survives a crash. */
export interface JobProgress {
  /**
   * Number of the next call to the lender, starting at 1. It is 0 after the lender has answered. Not counted: throttled
   * calls, quote requests answered PENDING, and calls that the circuit breaker withheld because of other jobs.
   */
  readonly attempt: number
  /** Number of delays since the job started or the lender last answered. */
  readonly pauses: number
  /**
   * Only for quotes: the `lender_state` of the lender's last PENDING answer or of a later callback. Absent without one.
   */
  readonly lender_state?: string | null
  /** The `callback_key` of the lender's last PENDING answer. */
  readonly callback_key?: string | null
  /**
   * Only for contracts: the reference of a contract that must be cancelled at the lender, because its proposal is
   * cancelled (FGTS-53). Otherwise absent.
   */
  readonly unwanted_reference?: string | null
  /** Only for contracts: true if the next run polls, before a later run repeats the unanswered call. Default: false. */
  readonly is_poll_next?: boolean
  /** The time that the throttle has reserved for the next call, while the job waits for it. */
  readonly slot_at?: number | null
}

/** The progress of a job before its first call. */
export const jobStarted: JobProgress = { attempt: 1, pauses: 0 }

/** The progress of a job after the lender has answered. From then on, the job polls the contract. */
export const jobAnswered: JobProgress = { attempt: 0, pauses: 0 }

/**
 * The outcome of one run of a job. It determines the next run:
 * - DONE: the job has ended.
 * - RETRY: an answer is missing. Run the job again after `after_ms`, with this progress.
 * - WAIT: no answer is missing. Run the job again after `after_ms`, with {@link jobAnswered}.
 */
export type JobOutcome =
  | { readonly _tag: "DONE" }
  | { readonly _tag: "RETRY"; readonly after_ms: number; readonly progress: JobProgress }
  | { readonly _tag: "WAIT"; readonly after_ms: number }

/** Returns the ticket that keeps a job's turn in the queue of calls to the lender. */
export const ticketOf = (job: Job, { slot_at = null }: JobProgress): CallTicket => ({ ticket: jobName(job), slot_at })

export const jobDone: JobOutcome = { _tag: "DONE" }

/** Returns the jobs of the pending lenders of a quote, and the job of its waiting time. */
const jobsOfQuote = (quote: Quote): ReadonlyArray<Job> => {
  const { outcome, quote_id: id, routing } = quote
  if (routing === undefined) return outcome === "PENDING" ? [{ kind: "quote", id }] : []
  const parts = partsOf(quote)
    .filter((part) => part.outcome === "PENDING")
    .map(({ lender }): Job => ({ kind: "quote", id, lender: lender.code }))
  return parts.length > 0 || outcome === "PENDING" ? [...parts, { kind: "patience", id }] : parts
}

export const jobOfContract = ({ lender, proposal_id }: Pick<Proposal, "lender" | "proposal_id">): Job => ({
  kind: "contract",
  id: proposal_id,
  ...(lender === null ? {} : { lender: lender.code })
})

/**
 * The jobs of an unfinished application follow from its state.
 *
 * - Without an accepted offer: one job for each pending lender of its latest quote, and one for the quote's waiting
 *   time. They continue if lenders are still pending after the quote was completed.
 * - With a contract: the job of the contract. If KYC data must be corrected, the job waits until the proposal expires,
 *   and then ends the proposal (FGTS-54).
 * - A finished application needs no job. The job of a paid contract still polls it until the last poll (PROP-13,
 *   PROP-17).
 * @rule JOB-02
 */
export const jobsOf = (application: Application): ReadonlyArray<Job> => {
  const { cancellation, proposal } = application
  if (proposal !== null) return isUnfinished(application) ? [jobOfContract(proposal)] : []
  return cancellation === null ? jobsOfQuote(latestQuote(application)) : []
}
