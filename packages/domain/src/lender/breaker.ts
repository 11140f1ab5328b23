import { type CallOrigin } from "./CallOrigin.ts"

/** The origin of a call, with an id that no other call has. */
export interface BreakerCall extends Pick<CallOrigin, "job" | "root"> {
  readonly id: number
}

/** Settings of a circuit breaker. */
export interface BreakerLimits {
  /** Number of distinct jobs whose calls must fail in a row. */
  readonly failures: number
  /** Time for which a circuit stays open at first. It doubles each time the circuit opens again, up to one minute. */
  readonly openForMs: number
}

/** A job whose call failed. A call without a job counts as a job of its own. */
interface FailedJob {
  readonly job: string
  readonly root: string
}

/** A circuit that withholds calls. */
interface OpenCircuit {
  /** From this time on, one call is made: the probe. */
  readonly until: number
  readonly open_ms: number
  /** The id of the probe in progress. Null if there is none. */
  readonly probe: number | null
}

/** A circuit of the breaker. */
export interface Circuit {
  /** The jobs whose calls failed since the last success, the oldest first. */
  readonly failed: ReadonlyArray<FailedJob>
  /** Null while calls are made. */
  readonly open: OpenCircuit | null
}

/** The circuit for the calls of all tenants, and the circuits of the tenants by root partner. */
export interface BreakerState {
  readonly all: Circuit
  readonly tenants: ReadonlyMap<string, Circuit>
}

const closedCircuit: Circuit = { failed: [], open: null }

/** The state without failures. */
export const closedBreaker: BreakerState = { all: closedCircuit, tenants: new Map() }

const longestOpenMs = 60_000

/** Number of tenants whose calls must fail in a row until the circuit of all tenants opens. */
const failingTenants = 3

/** Maximum number of failed jobs that a circuit keeps. */
const keptJobs = 64

/** The pause before a withheld job requests again while a probe is in progress, in milliseconds. */
const probePauseMs = 1_000

const jobOf = ({ id, job, root }: BreakerCall): FailedJob => ({ job: job === "" ? `call/${id}` : job, root })

const hasFailed = ({ failed }: Circuit, { job }: FailedJob): boolean => failed.some((one) => one.job === job)

const circuitsOf = ({ all, tenants }: BreakerState, { root }: BreakerCall): ReadonlyArray<Circuit> => [
  all,
  tenants.get(root) ?? closedCircuit
]

const withCircuits = (
  { tenants }: BreakerState,
  { root }: BreakerCall,
  [all = closedCircuit, own = closedCircuit]: ReadonlyArray<Circuit>
): BreakerState => {
  const others = new Map(tenants)
  others.delete(root)
  const isClosed = own.failed.length === 0 && own.open === null
  return { all, tenants: isClosed ? others : others.set(root, own) }
}

/**
 * Returns the time until a circuit allows a call, in milliseconds; 0 if it allows the call now. A job whose call failed
 * gets the probe only if no other job has taken it for as long as the circuit was open.
 */
const waitOf = (circuit: Circuit, call: BreakerCall, at: number): number => {
  const { open } = circuit
  if (open === null) return 0
  if (open.probe !== null) return probePauseMs
  return Math.max(open.until + (hasFailed(circuit, jobOf(call)) ? open.open_ms : 0) - at, 0)
}

/** Returns whether a circuit withholds calls of jobs that have not failed. */
export const isWithholding = ({ open }: Circuit, at: number): boolean =>
  open !== null && (open.probe !== null || open.until > at)

/** The answer of the breaker: make the call, or request again after `after_ms`. */
export type BreakerAnswer =
  | { readonly _tag: "CALL" }
  | {
    readonly _tag: "WITHHELD"
    readonly after_ms: number
    /** True if the failed calls of this job are among those that opened the circuit. */
    readonly is_cause: boolean
  }

/**
 * An open circuit withholds calls. When its time is over, one call is made: the probe, whose result closes the circuit or
 * opens it for twice the time, up to one minute. The probe goes to a job whose calls have not failed. A job whose call
 * failed gets it only after the same time again. There is one circuit for each tenant and one for all tenants.
 * @rule LENDER-23
 */
export const judgeCall = (
  state: BreakerState,
  call: BreakerCall,
  at: number
): readonly [BreakerState, BreakerAnswer] => {
  const circuits = circuitsOf(state, call)
  const after_ms = Math.max(...circuits.map((circuit) => waitOf(circuit, call, at)))
  if (after_ms > 0) {
    const is_cause = circuits.some((circuit) => waitOf(circuit, call, at) > 0 && hasFailed(circuit, jobOf(call)))
    return [state, { _tag: "WITHHELD", after_ms, is_cause }]
  }
  const probed = circuits.map((circuit): Circuit =>
    circuit.open === null ? circuit : { ...circuit, open: { ...circuit.open, probe: call.id } }
  )
  return [withCircuits(state, call, probed), { _tag: "CALL" }]
}

/** The result of a call. IGNORED: the call shows neither that the lender works nor that it does not. */
export type CallResult = "SUCCESS" | "FAILURE" | "IGNORED"

const opened = (until: number, open_ms: number): OpenCircuit => ({ until: until + open_ms, open_ms, probe: null })

const afterFailure = (
  { failed, open }: Circuit,
  call: BreakerCall,
  at: number,
  { isFull, openForMs }: { readonly openForMs: number; readonly isFull: (failed: Circuit["failed"]) => boolean }
): Circuit => {
  const job = jobOf(call)
  const jobs = [...failed.filter((one) => one.job !== job.job), job].slice(-keptJobs)
  if (open === null) return { failed: jobs, open: isFull(jobs) ? opened(at, openForMs) : null }
  if (open.probe !== call.id) return { failed: jobs, open }
  return { failed: jobs, open: opened(at, Math.min(2 * open.open_ms, longestOpenMs)) }
}

const afterIgnored = ({ failed, open }: Circuit, { id }: BreakerCall): Circuit => ({
  failed,
  open: open?.probe === id ? { ...open, probe: null } : open
})

/**
 * The circuit of a tenant opens when the calls of five distinct jobs of the tenant have failed in a row, so that a few
 * bad quotes or contracts never open it, however often they are repeated. The circuit of all tenants opens when in
 * addition the jobs are from three tenants. Any success closes both. The number five is a setting.
 * @rule LENDER-24
 */
export const recordResult = (
  state: BreakerState,
  call: BreakerCall,
  result: CallResult,
  { at, limits: { failures, openForMs } }: { readonly at: number; readonly limits: BreakerLimits }
): BreakerState => {
  const [all = closedCircuit, own = closedCircuit] = circuitsOf(state, call)
  switch (result) {
    case "SUCCESS":
      return withCircuits(state, call, [closedCircuit, closedCircuit])
    case "IGNORED":
      return withCircuits(state, call, [afterIgnored(all, call), afterIgnored(own, call)])
    case "FAILURE":
      return withCircuits(state, call, [
        afterFailure(all, call, at, {
          openForMs,
          isFull: (failed) =>
            failed.length >= failures && new Set(failed.map(({ root }) => root)).size >= failingTenants
        }),
        afterFailure(own, call, at, { openForMs, isFull: (failed) => failed.length >= failures })
      ])
  }
}
