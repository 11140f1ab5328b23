import { Context, Effect, Layer } from "effect"
import { Faults } from "./Faults.ts"

const wrapped = new WeakSet<object>()

/** What effect itself gives with a layer, and what tests look into ports by, is left as it is. */
const isPort = (key: string, service: unknown): service is object =>
  !/^@?(effect|lastro\/testkit)\//.test(key) && typeof service === "object" && service !== null &&
  !Effect.isEffect(service)

/** An effect of whatever kind: what it fails with and needs goes through unseen. */
const isCall = (value: unknown): value is Effect.Effect<unknown> => Effect.isEffect(value)

/** The members of an object and of its class, by their names; those of every object are none of them. */
const membersOf = (service: object): ReadonlyMap<PropertyKey, PropertyDescriptor> => {
  const members = new Map<PropertyKey, PropertyDescriptor>()
  for (let from = service; from !== Object.prototype && from !== null; from = Object.getPrototypeOf(from)) {
    for (const name of Reflect.ownKeys(from)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(from, name)
      if (descriptor !== undefined && name !== "constructor" && !members.has(name)) members.set(name, descriptor)
    }
  }
  return members
}

/** A member by its value; a method keeps the object that it belongs to, which may have members that are private. */
const member = (
  { around }: Faults["Service"],
  named: { readonly key: string; readonly method: string },
  value: unknown,
  service: object
): unknown => {
  if (isCall(value)) return around({ ...named, given: [], call: value })
  if (typeof value !== "function") return value
  return (...given: ReadonlyArray<unknown>): unknown => {
    const call: unknown = Reflect.apply(value, service, given)
    return isCall(call) ? around({ ...named, given, call }) : call
  }
}

const port = (faults: Faults["Service"], key: string, service: unknown): unknown => {
  if (!isPort(key, service) || wrapped.has(service)) return service
  const faulted: object = Object.create(Object.getPrototypeOf(service))
  const methods: Array<string> = []
  for (const [name, { enumerable = false, value }] of membersOf(service)) {
    const get = () => member(faults, { key, method: String(name) }, Reflect.get(service, name), service)
    const set = (next: unknown) => void Reflect.set(service, name, next)
    Object.defineProperty(faulted, name, { get, set, enumerable, configurable: true })
    if (typeof name === "string" && (value === undefined || isCall(value) || typeof value === "function")) {
      methods.push(name)
    }
  }
  faults.wraps(key, methods)
  wrapped.add(faulted)
  return faulted
}

/**
 * The same ports, which {@link Faults} can make misbehave: every method, and every member that is an effect, of all that the layer
 * gives. Ports that were built over others within the layer go on to use those as they were; to strike these too, wrap each layer
 * before the next one is built over it. So does a port that calls methods of its own.
 */
export const faulty = <P, E, R>(layer: Layer.Layer<P, E, R>): Layer.Layer<P, E, R | Faults> =>
  Layer.flatMap(
    layer,
    (ports) =>
      Layer.effectContext(Effect.map(Faults, (faults) =>
        Context.makeUnsafe<P>(
          new Map(Array.from(ports.mapUnsafe, ([key, service]) => [key, port(faults, key, service)]))
        )))
  )
