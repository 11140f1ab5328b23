import { Context } from "effect"
import { type Tenancy, unknownTenancy } from "../ports/turns.ts"

/** The cause of a call to the lender. */
export interface CallOrigin extends Tenancy {
  /** The name of the durable job that makes the call. Empty for a call outside of a job. */
  readonly job: string
}

/**
 * The origin of the calls of the current run of a job. The throttle and the circuit breaker
 * share the lender between tenants by it.
 */
export const CallOrigin = Context.Reference<CallOrigin>("@lastro/domain/lender/CallOrigin", {
  defaultValue: () => ({ job: "", ...unknownTenancy })
})
