import { type Duration, Effect } from "effect"
import { TestMistake } from "../given/TestMistake.ts"
import { type FaultSwitch, type Strikes } from "./FaultSwitch.ts"
import { InjectedFault } from "./InjectedFault.ts"
import { type Around, type Calling, type PortCall } from "./PortCall.ts"
import { Undisturbed } from "./Undisturbed.ts"

type Deed =
  | { readonly kind: "failed"; readonly defect: unknown; readonly error: unknown }
  | { readonly kind: "delayed"; readonly by: Duration.Input }
  | { readonly kind: "lost" }

interface Switch {
  readonly key: string
  readonly method: string
  readonly deed: Deed
  readonly nth: number
  readonly times: number
  /** How many calls there were since it was set. */
  seen: number
  struck: number
}

interface Made extends PortCall {
  readonly key: string
}

/** The name of a port by its key: what follows the last slash. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/** Whether a switch strikes this call, which it counts. */
const strikes = (one: Switch): boolean => {
  one.seen++
  const struck = one.seen >= one.nth && one.struck < one.times
  if (struck) one.struck++
  return struck
}

const failing = <E>(
  { defect, error }: Deed & { readonly kind: "failed" },
  fault: () => InjectedFault
): Effect.Effect<never, E> => error === undefined ? Effect.die(defect ?? fault()) : Effect.fail(error as E)

/** Switches and the calls that pass them. */
export const switchboard = () => {
  const switches = new Set<Switch>()
  const wrapped = new Map<string, ReadonlySet<string>>()
  let made: Array<Made> = []

  /** A switch that could never strike would let its test succeed for no reason. */
  const ensureStrikes = (key: string, method: string, nth: number, times: number) => {
    const methods = wrapped.get(key)
    if (methods === undefined) {
      throw new TestMistake(`no fault can strike ${nameOf(key)}: it is no port of a faulty layer`)
    }
    if (!methods.has(method)) {
      throw new TestMistake(`no fault can strike ${method}: ${nameOf(key)} has ${Array.from(methods).join(", ")}`)
    }
    if (!(nth >= 1) || !(times >= 1)) throw new TestMistake("no fault can strike: nth and times are 1 or more")
  }

  const set = (port: { readonly key: string }, method: string, which: Strikes, deed: Deed): FaultSwitch => {
    const { nth = 1, times = 1 } = which
    ensureStrikes(port.key, method, nth, times)
    const one: Switch = { key: port.key, method, deed, nth, times, seen: 0, struck: 0 }
    const lift = () => void switches.delete(one)
    switches.add(one)
    return {
      get struck() {
        return one.struck
      },
      lift,
      [Symbol.dispose]: lift
    }
  }

  const around: Around = <A, E, R>({ call, given, key, method }: Calling<A, E, R>) =>
    Effect.flatMap(Undisturbed, (undisturbed) => {
      if (undisturbed) return call
      const deeds = Array.from(switches)
        .filter((one) => one.key === key && one.method === method)
        .filter(strikes)
        .map(({ deed }) => deed)
      const port = nameOf(key)
      made.push({ key, port, method, given, faults: deeds.map(({ kind }) => kind) })
      const failed = deeds.find((deed) => deed.kind === "failed")
      const lost = deeds.some((deed) => deed.kind === "lost")
      const fault = () => new InjectedFault({ port, method, done: lost && failed === undefined })
      const ended = failed === undefined
        ? lost ? Effect.flatMap(call, () => Effect.die(fault())) : call
        : failing<E>(failed, fault)
      return deeds.reduce<Effect.Effect<A, E, R>>(
        (later, deed) => deed.kind === "delayed" ? Effect.delay(later, deed.by) : later,
        ended
      )
    })

  return {
    set,
    around,
    wraps: (key: string, methods: Iterable<string>) => {
      wrapped.set(key, new Set([...wrapped.get(key) ?? [], ...methods]))
    },
    liftAll: () => switches.clear(),
    calls: (port?: { readonly key: string }, method?: string): ReadonlyArray<PortCall> =>
      made.filter((one) =>
        (port === undefined || one.key === port.key) && (method === undefined || one.method === method)
      ),
    forgetCalls: () => {
      made = []
    }
  }
}
