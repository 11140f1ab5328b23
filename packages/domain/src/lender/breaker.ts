import { type CallOrigin } from "./callWithinLimits.ts"

/** The job and the root partner of a call, with an id that no other call has. */
export interface BreakerCall extends Pick<CallOrigin, "job" | "root"> {
  readonly id: number
}

/** Settings of a circuit breaker. */
export interface BreakerLimits {
  /** Number of distinct jobs whose calls must fail in a row before the circuit opens. */
  readonly failures: number
  /** Time for which a circuit stays open. It doubles each time the circuit opens again, up to one minute. */
  readonly openForMs: number
}

/** A job whose call failed. A call outside a job counts as a job of its own. */
interface FailedJob {
  readonly job: string
  readonly root: string
}

/** A call that an open circuit lets through, to test the lender. */
interface Probe {
  readonly id: number
  readonly root: string
  readonly is_failed: boolean
  /** Until this time, the tenant gets no other probe of the circuit. A probe without a result ends at this time. */
  readonly until: number
}

/** The state of a circuit that withholds calls. */
interface OpenCircuit {
  /** From this time on, probes are made. */
  readonly until: number
  readonly open_ms: number
  readonly probes: ReadonlyArray<Probe>
}

/** The state of one circuit. Times are in milliseconds, from the same clock. */
export interface Circuit {
  /** The jobs whose calls failed since the last success, oldest first. */
  readonly failed: ReadonlyArray<FailedJob>
  /** Null while the circuit is closed: calls are made. */
  readonly open: OpenCircuit | null
}

/** The two circuits of a call: that of all tenants, and that of its own tenant. */
export interface Circuits {
  readonly all: Circuit
  readonly own: Circuit
}

/** A circuit without failures. */
export const closedCircuit: Circuit = { failed: [], open: null }

const longestOpenMs = 60_000

/** The circuit of all tenants opens after failed calls of this number of tenants in a row. */
const failingTenants = 3

/**
 * Maximum number of simultaneous probes of a circuit. The circuit opens again when this number of probes has failed.
 */
const probesOf = { all: failingTenants, own: 1 } as const

const circuitNames = ["all", "own"] as const
type CircuitName = typeof circuitNames[number]

/** Maximum number of failed jobs that a circuit remembers. */
const keptJobs = 64

/** The pause of a withheld job while probes are in progress, in milliseconds. */
const probePauseMs = 1_000

/** A probe without a result ends after this time, in milliseconds: the deadline of a call plus 5 seconds. */
const probeLapseMs = 35_000

const jobOf = ({ id, job, root }: BreakerCall): FailedJob => ({ job: job === "" ? `call/${id}` : job, root })

const hasFailed = ({ failed }: Circuit, { job }: FailedJob): boolean => failed.some((failure) => failure.job === job)

/** Returns the probes that are in progress, or whose failure still counts. */
const presentProbes = ({ probes }: OpenCircuit, at: number): ReadonlyArray<Probe> =>
  probes.filter(({ until }) => until > at)

/**
 * Returns the time until a circuit allows a call, in milliseconds; 0 if it allows the call now. A job whose call failed
 * waits twice as long for a probe as other jobs.
 */
const waitOf = (circuits: Circuits, name: CircuitName, call: BreakerCall, at: number): number => {
  const circuit = circuits[name]
  const { open } = circuit
  if (open === null) return 0
  const probes = presentProbes(open, at)
  const own = probes.find(({ root }) => root === call.root)
  if (own?.is_failed === true) return own.until - at
  if (own !== undefined || probes.length >= probesOf[name]) return probePauseMs
  const leftToOthers = hasFailed(circuit, jobOf(call)) ? open.open_ms : 0
  return Math.max(open.until + leftToOthers - at, 0)
}

/** Returns whether a circuit withholds calls of jobs that have not failed. */
export const isWithholding = ({ open }: Circuit, at: number): boolean =>
  open !== null && (open.until > at || presentProbes(open, at).length > 0)

/** The answer of the breaker: make the call now, or request again after `after_ms`. */
export type BreakerAnswer =
  | { readonly _tag: "CALL" }
  | {
    readonly _tag: "WITHHELD"
    readonly after_ms: number
    /**
     * True if an earlier call of the same job failed and helped to open the circuit: then the withheld call counts as
     * an attempt of the job (LENDER-25). False if only calls of other jobs failed.
     */
    readonly is_cause: boolean
  }

const callNow: BreakerAnswer = { _tag: "CALL" }

const withProbe = (circuit: Circuit, { id, root }: BreakerCall, at: number): Circuit => {
  const { open } = circuit
  if (open === null) return circuit
  const probe: Probe = { id, root, is_failed: false, until: at + probeLapseMs }
  return { ...circuit, open: { ...open, probes: [...presentProbes(open, at), probe] } }
}

/**
 * An open circuit withholds calls, and then lets one call through: the probe.
 *
 * - A successful probe closes the circuit. A failed probe opens it again for twice the time, up to one minute. A probe
 *   without a result ends after 35 seconds.
 * - The probe goes to a job whose calls have not failed. A job whose call failed gets it only after twice the time.
 * - There is one circuit for each tenant, and one for all tenants. The circuit of all tenants makes three probes, each
 *   for another tenant. It opens again only if all three fail, so that one failing tenant cannot keep it open.
 * @rule LENDER-23
 */
export const judgeCall = (circuits: Circuits, call: BreakerCall, at: number): readonly [Circuits, BreakerAnswer] => {
  const { all, own } = circuits
  if (all.open === null && own.open === null) return [circuits, callNow]
  const waiting = circuitNames.filter((name) => waitOf(circuits, name, call, at) > 0)
  if (waiting.length > 0) {
    const after_ms = Math.max(...waiting.map((name) => waitOf(circuits, name, call, at)))
    const is_cause = waiting.some((name) => hasFailed(circuits[name], jobOf(call)))
    return [circuits, { _tag: "WITHHELD", after_ms, is_cause }]
  }
  return [{ all: withProbe(all, call, at), own: withProbe(own, call, at) }, callNow]
}

/** The result of a call. IGNORED: it does not show whether the lender works. */
export type CallResult = "SUCCESS" | "FAILURE" | "IGNORED"

const opened = (at: number, open_ms: number): OpenCircuit => ({ until: at + open_ms, open_ms, probes: [] })

/** Adds a failed job. Keeps at most `perTenant` jobs of a tenant, so that one tenant does not displace the others. */
const withFailedJob = (failed: Circuit["failed"], job: FailedJob, perTenant: number): Circuit["failed"] => {
  const others = failed.filter((failure) => failure.job !== job.job)
  const ofTenant = others.filter(({ root }) => root === job.root)
  const kept = ofTenant.length < perTenant ? others : others.filter((other) => other !== ofTenant[0])
  return [...kept, job].slice(-keptJobs)
}

/** Opens a circuit again after a failed probe. */
const reopened = (
  open: OpenCircuit,
  { call, at, name }: { readonly call: BreakerCall; readonly at: number; readonly name: CircuitName }
): OpenCircuit => {
  const present = presentProbes(open, at)
  if (!present.some(({ id }) => id === call.id)) return open
  const again_ms = Math.min(2 * open.open_ms, longestOpenMs)
  const probes = present.map((probe) =>
    probe.id === call.id ? { ...probe, is_failed: true, until: at + again_ms } : probe
  )
  return probes.filter(({ is_failed }) => is_failed).length >= probesOf[name]
    ? opened(at, again_ms)
    : { ...open, probes }
}

const withoutProbe = (circuit: Circuit, { id }: BreakerCall): Circuit => {
  const { open } = circuit
  return open === null
    ? circuit
    : { ...circuit, open: { ...open, probes: open.probes.filter((probe) => probe.id !== id) } }
}

/**
 * A circuit opens after consecutive failed calls of five distinct jobs. Repetitions of the same job count once, so a
 * few bad quotes or contracts never open it. The circuit of all tenants also needs jobs of at least three tenants. It
 * saves the other tenants from finding out themselves that the lender is down. Any success closes both circuits. The
 * number five is a setting.
 * @rule LENDER-24
 */
export const recordResult = (
  circuits: Circuits,
  call: BreakerCall,
  result: CallResult,
  { at, limits: { failures, openForMs } }: { readonly at: number; readonly limits: BreakerLimits }
): Circuits => {
  const { all, own } = circuits
  const afterFailure = (name: CircuitName): Circuit => {
    const { failed, open } = circuits[name]
    const jobs = withFailedJob(failed, jobOf(call), name === "all" ? failures : keptJobs)
    if (open !== null) return { failed: jobs, open: reopened(open, { call, at, name }) }
    const tenants = new Set(jobs.map(({ root }) => root)).size
    const isOpening = jobs.length >= failures && (name === "own" || tenants >= failingTenants)
    return { failed: jobs, open: isOpening ? opened(at, openForMs) : null }
  }
  switch (result) {
    case "SUCCESS":
      return { all: closedCircuit, own: closedCircuit }
    case "IGNORED":
      return { all: withoutProbe(all, call), own: withoutProbe(own, call) }
    case "FAILURE":
      return { all: afterFailure("all"), own: afterFailure("own") }
  }
}
