import { type ProposalId, type QuoteId } from "@lastro/domain"

/** Durable work, as it was asked for. */
export type Work =
  | { readonly _tag: "Quote"; readonly quote_id: QuoteId }
  | { readonly _tag: "Contract"; readonly proposal_id: ProposalId; readonly attempt: number }

/** Work that was started, and whether it has ended: what has ended is remembered, so that it is not started again. */
export interface StoredWork {
  readonly work: Work
  readonly ended: boolean
}

/** What a work is: the same name is the same work. */
export const workName = (work: Work): string =>
  work._tag === "Quote" ? `quote/${work.quote_id}` : `contract/${work.proposal_id}/${work.attempt}`
