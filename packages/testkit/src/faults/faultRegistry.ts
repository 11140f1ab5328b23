import { type Duration, Effect } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"
import {
  FaultsBypassed,
  type FaultSwitch,
  type FaultTiming,
  InjectedFault,
  type Intercept,
  type InterceptedCall,
  ObservedCalls,
  type PortCall
} from "./PortFault.ts"

/** The outcome of a call that a fault affects. */
type Outcome =
  | { readonly kind: "failed"; readonly defect: unknown; readonly error: unknown }
  | { readonly kind: "delayed"; readonly by: Duration.Input }
  | { readonly kind: "lost" }

interface Fault {
  readonly key: string
  readonly method: string
  readonly outcome: Outcome
  readonly nth: number
  readonly times: number
  /** The number of calls since the fault was set. */
  seen: number
  hits: number
}

interface RecordedCall extends PortCall {
  readonly key: string
}

/** Returns the name of a port: the part of its key after the last slash. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** Counts a call, and returns whether the fault affects it. */
const countCall = (fault: Fault): boolean => {
  fault.seen++
  const isHit = fault.seen >= fault.nth && fault.hits < fault.times
  if (isHit) fault.hits++
  return isHit
}

const failWith = <E>(
  { defect, error }: Outcome & { readonly kind: "failed" },
  defaultDefect: () => InjectedFault
): Effect.Effect<never, E> => error === undefined ? Effect.die(defect ?? defaultDefect()) : Effect.fail(error as E)

/** Makes a registry of faults that records the calls passing through it. */
export const makeFaultRegistry = () => {
  const faults = new Set<Fault>()
  const ports = new Map<string, ReadonlySet<string>>()
  let recorded: Array<RecordedCall> = []

  /** Throws for a fault that no call can reach. A test with this fault would pass for the wrong reason. */
  const ensureCanHit = (key: string, method: string, nth: number, times: number) => {
    const methods = ports.get(key)
    if (methods === undefined) {
      throw new TestMistake(`${nameOf(key)} is not a port of a faulty layer. Wrap its layer with faulty(…).`)
    }
    if (!methods.has(method)) {
      throw new TestMistake(`${nameOf(key)} has no method ${method}. Its methods: ${Array.from(methods).join(", ")}.`)
    }
    if (!(nth >= 1) || !(times >= 1)) throw new TestMistake("nth and times must be at least 1.")
  }

  const set = (port: { readonly key: string }, method: string, timing: FaultTiming, outcome: Outcome): FaultSwitch => {
    const { nth = 1, times = 1 } = timing
    ensureCanHit(port.key, method, nth, times)
    const fault: Fault = { key: port.key, method, outcome, nth, times, seen: 0, hits: 0 }
    const lift = () => void faults.delete(fault)
    faults.add(fault)
    return {
      get hits() {
        return fault.hits
      },
      lift,
      [Symbol.dispose]: lift
    }
  }

  const intercept: Intercept = <A, E, R>({ args, call, key, method }: InterceptedCall<A, E, R>) =>
    Effect.flatMap(Effect.all([FaultsBypassed, ObservedCalls]), ([isBypassed, observe]) => {
      if (isBypassed) return call
      const hits = Array.from(faults)
        .filter((fault) => fault.key === key && fault.method === method)
        .filter(countCall)
        .map(({ outcome }) => outcome)
      const port = nameOf(key)
      recorded.push({ key, port, method, args, faults: hits.map(({ kind }) => kind) })
      const failed = hits.find((hit) => hit.kind === "failed")
      const isLost = hits.some((hit) => hit.kind === "lost")
      const makeFault = () => new InjectedFault({ port, method, done: isLost && failed === undefined })
      let result: Effect.Effect<A, E, R> = isLost ? Effect.flatMap(call, () => Effect.die(makeFault())) : call
      if (failed !== undefined) result = failWith<E>(failed, makeFault)
      for (const hit of hits) if (hit.kind === "delayed") result = Effect.delay(result, hit.by)
      return observe(result)
    })

  return {
    set,
    intercept,
    registerPort: (key: string, methods: Iterable<string>) => {
      ports.set(key, new Set([...ports.get(key) ?? [], ...methods]))
    },
    liftAll: () => faults.clear(),
    calls: (port?: { readonly key: string }, method?: string): ReadonlyArray<PortCall> =>
      recorded.filter((call) =>
        (port === undefined || call.key === port.key) && (method === undefined || call.method === method)
      ),
    forgetCalls: () => {
      recorded = []
    }
  }
}
