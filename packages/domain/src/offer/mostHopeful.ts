import { type Timestamp } from "../values/Timestamp.ts"
import { type RejectionKind, type RejectionReason } from "./RejectionReason.ts"

const order: Readonly<Record<RejectionKind, number>> = { CUSTOMER_ACTION: 0, TEMPORARY: 1, UPSTREAM: 2, FINAL: 3 }

/** A text that sorts before every timestamp. */
const atOnce = "" as Timestamp

const compare = (one: RejectionReason, other: RejectionReason): number => {
  const [first, second] = [one.retry_at ?? atOnce, other.retry_at ?? atOnce]
  return order[one.kind] - order[other.kind] || (first < second ? -1 : first > second ? 1 : 0)
}

/**
 * If no fee table has an offer, the rejection of the quote is the most hopeful one: CUSTOMER_ACTION, then TEMPORARY,
 * then UPSTREAM, then FINAL. Among TEMPORARY rejections it is the one that can be retried first, and otherwise the
 * first in the lender's order. Returns undefined if there is no rejection.
 * @rule FGTS-43
 */
export const mostHopeful = (rejections: ReadonlyArray<RejectionReason>): RejectionReason | undefined =>
  rejections.toSorted(compare)[0]
