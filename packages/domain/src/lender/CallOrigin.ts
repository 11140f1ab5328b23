import { Context } from "effect"

/** The partner that work is done for. The partners of one root are one tenant. Empty ids if the partner is unknown. */
export interface Tenancy {
  /** The id of the root partner. */
  readonly root: string
  readonly partner: string
}

/** The tenancy of work whose partner is unknown. */
export const unknownTenancy: Tenancy = { root: "", partner: "" }

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
