import { type CallTurn } from "../lender/callInTurn.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { isUnfinished } from "../loan/ApplicationStatus.ts"
import { type ProposalId, type QuoteId } from "../values/ids.ts"

/**
 * A durable job. The job of a quote requests the quote from the lender. The job of a contract submits the contract to
 * the lender, and then polls it until its status is final.
 */
export type Job =
  | { readonly kind: "quote"; readonly id: QuoteId }
  | { readonly kind: "contract"; readonly id: ProposalId }

/** The kinds of durable jobs. */
export const jobKinds = ["quote", "contract"] as const satisfies ReadonlyArray<Job["kind"]>

/** Returns the unique name of a job: its kind and its id. */
export const jobName = ({ id, kind }: Job): string => `${kind}/${id}`

/** The progress of a job. It is stored with the job, so that a crash does not reset it. */
export interface JobProgress {
  /**
   * Number of the next call to the lender, starting at 1. It is 0 after the lender has answered. These calls are not
   * counted: a call that the circuit breaker withheld because of other jobs, a quote request that was answered PENDING, and
   * a throttled call.
   */
  readonly attempt: number
  /** Number of delays between runs since the start of the job or since the lender's last answer. */
  readonly pauses: number
  /** Of a quote: the `lender_state` of the lender's last PENDING answer, or of a later callback. Absent if there is none. */
  readonly lender_state?: string | null
  /** The `callback_key` of the lender's last PENDING answer. */
  readonly callback_key?: string | null
  /**
   * Of a contract: the reference of a contract that must be cancelled at the lender, because the proposal is cancelled
   * (FGTS-53). Absent if there is none.
   */
  readonly unwanted_reference?: string | null
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
export const turnOf = (job: Job, { slot_at = null }: JobProgress): CallTurn => ({ ticket: jobName(job), slot_at })

/** The outcome of a job that has ended. */
export const jobDone: JobOutcome = { _tag: "DONE" }

/**
 * An unfinished application has one job: the job of its contract, or the job of its latest quote if no offer is accepted. If the
 * KYC of a contract must be corrected, its job waits until the proposal expires, and then ends the proposal (FGTS-54). A finished
 * application needs no job. The job of a paid contract still polls the contract, and ends with the last poll (PROP-13, PROP-17).
 * @rule JOB-02
 */
export const jobOf = (application: Application): Job | null => {
  const { proposal } = application
  if (!isUnfinished(application)) return null
  return proposal === null
    ? { kind: "quote", id: latestQuote(application).quote_id }
    : { kind: "contract", id: proposal.proposal_id }
}
