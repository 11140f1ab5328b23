import { Context, type Effect } from "effect"
import { type LenderThrottleLimits } from "./LenderRequirements.ts"

/** A request to call the lender now. */
export interface CallRequest {
  /** The name of the lender. Each lender has its own order and its own limits. */
  readonly lender: string
  /** The name of the caller, which keeps its place in the order. */
  readonly ticket: string
  /** The place in the order that an earlier answer gave; null at the first request. */
  readonly slot_at: number | null
}

/**
 * The answer to a request:
 * - ENTERED: call the lender now, and then leave with the id of the call.
 * - WAIT: request again after `after_ms`, with `slot_at`, which is the place in the order.
 */
export type CallEntry =
  | { readonly _tag: "ENTERED"; readonly call: string }
  | { readonly _tag: "WAIT"; readonly after_ms: number; readonly slot_at: number }

/**
 * Keeps the limits of a lender for all nodes of an installation together, as `judgeEntry` describes (LENDER-10, LENDER-11). Requests are
 * independent of transactions. Never waits: a caller without a slot requests again later.
 */
export class LenderThrottle extends Context.Service<LenderThrottle, {
  /** Requests a call. Two calls never begin closer together than the rate allows. The number of calls in progress never exceeds the limit. */
  readonly enter: (request: CallRequest, limits: LenderThrottleLimits) => Effect.Effect<CallEntry>
  /** Ends a call. A call that does not leave, because its node crashed, ends after the deadline of a call. An unknown call is ignored. */
  readonly leave: (lender: string, call: string) => Effect.Effect<void>
}>()("@lastro/domain/fgts/lender/LenderThrottle") {}
