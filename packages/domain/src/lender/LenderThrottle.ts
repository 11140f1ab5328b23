import { Context, type Effect } from "effect"
import { type Tenancy } from "../ports/turns.ts"
import { type LenderThrottleLimits } from "./LenderRequirements.ts"

/** A request to call the lender now. The caller is a durable job or an API request. */
export interface CallRequest {
  /** The name of the lender. Each lender has its own queue and its own limits. */
  readonly lender: string
  /** Identifies the caller, so that it keeps its turn in the queue. */
  readonly ticket: string
  /**
   * The `slot_at` of the latest WAIT answer: the time reserved for the call, in milliseconds. Null at the first
   * request.
   */
  readonly slot_at: number | null
  /** The partner whose turn this call takes. Default: unknown. */
  readonly tenancy?: Tenancy
}

/**
 * The answer to a request:
 * - ENTERED: call the lender now. After the call, call `leave` with the id `call`.
 * - WAIT: request again after `after_ms`, with this `slot_at`, which keeps the caller's turn.
 */
export type CallEntry =
  | { readonly _tag: "ENTERED"; readonly call: string }
  | { readonly _tag: "WAIT"; readonly after_ms: number; readonly slot_at: number }

/**
 * Enforces the limits of a lender for all nodes of an installation together, by the rules of `judgeEntry` (LENDER-10,
 * LENDER-11). Requests are independent of transactions. A request never blocks: a caller that cannot call now requests
 * again later.
 */
export class LenderThrottle extends Context.Service<LenderThrottle, {
  /**
   * Requests permission for a call. Two calls never begin closer together than the rate allows. The number of calls in
   * progress never exceeds the limit.
   */
  readonly enter: (request: CallRequest, limits: LenderThrottleLimits) => Effect.Effect<CallEntry>
  /**
   * Ends a call. If the node crashes before it calls `leave`, the call counts as ended when the same ticket requests
   * another call (LENDER-26). Otherwise, it counts as ended after the deadline of a call. An unknown call is ignored.
   */
  readonly leave: (lender: string, call: string) => Effect.Effect<void>
}>()("@lastro/domain/lender/LenderThrottle") {}
