import { type ProposalId, type QuoteId } from "@lastro/domain/id"
import { Context, type Effect } from "effect"

/** A durable job. */
export type Work =
  | { readonly _tag: "Quote"; readonly quote_id: QuoteId }
  | { readonly _tag: "Contract"; readonly proposal_id: ProposalId; readonly attempt: number }

/** A stored job. A job that has ended stays stored, so that it is not started again. */
export interface StoredWork {
  readonly work: Work
  readonly ended: boolean
}

/** Returns the unique name of a job. */
export const workName = (work: Work): string =>
  work._tag === "Quote" ? `quote/${work.quote_id}` : `contract/${work.proposal_id}/${work.attempt}`

/** The durable jobs of the in-memory database. */
export class PendingWork extends Context.Service<PendingWork, {
  /** The jobs that were started and have not ended, oldest first. */
  readonly pending: Effect.Effect<ReadonlyArray<Work>>
  /**
   * Waits until no job is pending, including jobs that start during the wait. If jobs do not run automatically, runs
   * them one at a time.
   */
  readonly finish: Effect.Effect<void>
}>()("@lastro/testkit/memory/PendingWork") {}
