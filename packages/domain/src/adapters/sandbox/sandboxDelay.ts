import { type Customer } from "../../kyc/KycValues.ts"
import { type LenderPending, type LenderQuoteRequest } from "../../lender/Lender.ts"
import { millisOf, type Timestamp, timestampOf } from "../../values/Timestamp.ts"
import { sandboxDigits, sandboxScenario } from "./sandboxScenarios.ts"

/** The reason why the sandbox lender does not answer a quote request yet. */
export type SandboxDelay = LenderPending | { readonly kind: "THROTTLED"; readonly retry_after_ms: number }

/** The fields of a quote request that determine its delay. */
export type SandboxDelayRequest = Pick<LenderQuoteRequest, "requested_at" | "lender_state"> & {
  readonly customer: Pick<Customer, "cpf">
}

/** The maximum `retry_after_ms` of a throttled quote. */
const longestWaitMs = 1_000

const stateShape = /^sandbox\.(\d{1,15})$/

/**
 * Reads from `lender_state` the time at which a pending quote gets its answer, in milliseconds since
 * 1970-01-01T00:00:00Z. Returns 0 for the state of another lender, so that its quote is answered at once.
 */
const readyMsOf = (lender_state: string): number => Number(stateShape.exec(lender_state)?.[1] ?? 0)

/**
 * In the sandbox, a quote can be throttled for some time after its request, or PENDING for some time after its first
 * attempt. The lender stores nothing: `lender_state` contains the end of the PENDING time. Returns null if the lender
 * answers now.
 * @rule SANDBOX-08
 */
export const sandboxDelay = (
  { customer, lender_state, requested_at }: SandboxDelayRequest,
  at: Timestamp
): SandboxDelay | null => {
  const { pending, throttled_ms } = sandboxScenario(sandboxDigits(customer.cpf))
  const now_ms = millisOf(at)
  const throttledFor = millisOf(requested_at) + throttled_ms - now_ms
  if (throttled_ms > 0 && throttledFor > 0) {
    return { kind: "THROTTLED", retry_after_ms: Math.min(throttledFor, longestWaitMs) }
  }
  if (pending === null) return null
  if (lender_state === null) {
    return {
      kind: "PENDING",
      lender_state: `sandbox.${now_ms + pending.ready_ms}`,
      look_at: timestampOf(now_ms + pending.look_ms)
    }
  }
  const ready_ms = readyMsOf(lender_state)
  return now_ms < ready_ms ? { kind: "PENDING", lender_state, look_at: timestampOf(ready_ms) } : null
}
