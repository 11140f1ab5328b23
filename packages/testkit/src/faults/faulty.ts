import { Context, Effect, Layer } from "effect"
import { Faults } from "./Faults.ts"
import { type Around } from "./PortCall.ts"

const wrapped = new WeakSet<object>()

/** Ports are objects with members and nothing more; what else a layer gives, and what tests look into ports by, is left as it is. */
const isPort = (key: string, service: unknown): service is Readonly<Record<string, unknown>> =>
  !key.startsWith("@lastro/testkit/") && typeof service === "object" && service !== null &&
  Object.getPrototypeOf(service) === Object.prototype

/** An effect of whatever kind: what it fails with and needs goes through unseen. */
const isCall = (value: unknown): value is Effect.Effect<unknown> => Effect.isEffect(value)

const member = (around: Around, key: string, method: string, value: unknown): unknown => {
  if (isCall(value)) return around({ key, method, given: [], call: value })
  if (typeof value !== "function") return value
  return function(this: unknown, ...given: ReadonlyArray<unknown>): unknown {
    const call: unknown = Reflect.apply(value, this, given)
    return isCall(call) ? around({ key, method, given, call }) : call
  }
}

const port = (around: Around, key: string, service: unknown): unknown => {
  if (!isPort(key, service) || wrapped.has(service)) return service
  const faulted = Object.fromEntries(
    Object.entries(service).map(([method, value]) => [method, member(around, key, method, value)])
  )
  wrapped.add(faulted)
  return faulted
}

/**
 * The same ports, which {@link Faults} can make misbehave: every method, and every member that is an effect, of all that the layer
 * gives. Ports that were built over others within the layer go on to use those as they were; to strike these too, wrap each layer
 * before the next one is built over it.
 */
export const faulty = <P, E, R>(layer: Layer.Layer<P, E, R>): Layer.Layer<P, E, R | Faults> =>
  Layer.flatMap(
    layer,
    (ports) =>
      Layer.effectContext(Effect.map(Faults, ({ around }) =>
        Context.makeUnsafe<P>(
          new Map(Array.from(ports.mapUnsafe, ([key, service]) => [key, port(around, key, service)]))
        )))
  )
