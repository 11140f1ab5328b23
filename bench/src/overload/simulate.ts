import { admissionLimits, defaultConcurrency } from "../../../packages/adapters-http/src/admission/admissionLimits.ts"
import { type AdmissionLimits, AdmissionQueue } from "../../../packages/adapters-http/src/admission/AdmissionQueue.ts"
import { type Entry } from "../../../packages/adapters-http/src/admission/WaitingLine.ts"
import { ascending, quantile } from "../measure/quantile.ts"
import { type Randomness, randomness } from "../measure/Randomness.ts"

/** Mean duration of a simulated request in milliseconds. */
const meanService = 8

/** Length of a simulated run in milliseconds. */
const length = 30_000

const callers = ["a", "b", "c", "d", "e"]

interface Simulated extends Entry {
  /** The time at which the request ends. */
  end: number
}

/** The result of a simulated run. Times are in milliseconds. */
export interface Simulation {
  readonly name: string
  readonly acceptedShare: number
  readonly p50: number
  readonly p99: number
  readonly refusedP50: number
}

const exponential = (mean: number, { fraction }: Randomness): number => -mean * Math.log(1 - fraction())

/** Simulates reads that arrive at a multiple of the capacity. There is no server: only the admission queue is real. */
const simulate = (name: string, times: number, limits: AdmissionLimits): Simulation => {
  const random = randomness(1, name)
  const queue = new AdmissionQueue<Simulated>(limits)
  const capacity = limits.slotsPerKind / meanService
  const running = new Set<Simulated>()
  const accepted: Array<number> = []
  const refused: Array<number> = []
  let ended = 0
  const apply = (now: number, decision: ReturnType<typeof queue.arrive>): void => {
    for (const entry of decision.admitted) {
      entry.end = now + exponential(meanService, random)
      running.add(entry)
    }
    for (const { entry } of decision.refused) refused.push(now - entry.at)
  }
  let arrival = 0
  let expiry = 0
  while (arrival < length) {
    let first: Simulated | undefined
    for (const entry of running) if (first === undefined || entry.end < first.end) first = entry
    if (first !== undefined && first.end <= Math.min(arrival, expiry)) {
      running.delete(first)
      accepted.push(first.end - first.at)
      ended += 1
      apply(first.end, queue.end(first))
    } else if (expiry < arrival) {
      apply(expiry, queue.expire(expiry))
      expiry += 100
    } else {
      const caller = callers[random.below(callers.length)] ?? ""
      apply(arrival, queue.arrive({ kind: "read", caller, at: arrival, end: 0 }))
      arrival += exponential(1 / (capacity * times), random)
    }
  }
  const sorted = ascending(accepted)
  return {
    name,
    acceptedShare: ended / (capacity * length),
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    refusedP50: quantile(ascending(refused), 0.5)
  }
}

/** Compares three orders in which the queue admits waiting requests, at 0.9, 1.5 and 10 times the capacity. */
export const simulations = (): ReadonlyArray<Simulation> => {
  const limits = admissionLimits(defaultConcurrency)
  const orders: ReadonlyArray<readonly [string, number]> = [
    ["oldest first", Number.POSITIVE_INFINITY],
    ["newest first", 0],
    [`newest first above ${limits.newestFirstAbove}`, limits.newestFirstAbove]
  ]
  return [0.9, 1.5, 10].flatMap((times) =>
    orders.map(([order, newestFirstAbove]) => simulate(`${times} ×, ${order}`, times, { ...limits, newestFirstAbove }))
  )
}
