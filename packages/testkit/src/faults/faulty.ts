import { PortsOfJobs } from "@lastro/domain/jobs"
import { Context, Effect, Layer } from "effect"
import { Faults } from "./Faults.ts"

const wrapped = new WeakSet<object>()

/** Returns whether a service is a port: not a service of Effect or of the testkit. */
const isPort = (key: string, service: unknown): service is object =>
  !/^@?(effect|lastro\/testkit)\//.test(key) && typeof service === "object" && service !== null &&
  !Effect.isEffect(service)

/** Returns whether a value is an effect, with any error and requirements. */
const isCall = (value: unknown): value is Effect.Effect<unknown> => Effect.isEffect(value)

/** Returns the members of an object and of its prototypes, by name, except those of `Object.prototype`. */
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

/** Wraps the value of a member. A method is called on the original object, because it can use private members. */
const wrapMember = (
  { intercept }: Faults["Service"],
  member: { readonly key: string; readonly method: string },
  value: unknown,
  service: object
): unknown => {
  if (isCall(value)) return intercept({ ...member, args: [], call: value })
  if (typeof value !== "function") return value
  return (...args: ReadonlyArray<unknown>): unknown => {
    const call: unknown = Reflect.apply(value, service, args)
    return isCall(call) ? intercept({ ...member, args, call }) : call
  }
}

const wrapPort = (faults: Faults["Service"], key: string, service: unknown): unknown => {
  if (!isPort(key, service) || wrapped.has(service)) return service
  const faultyService: object = Object.create(Object.getPrototypeOf(service))
  const methods: Array<string> = []
  for (const [name, { enumerable = false, value }] of membersOf(service)) {
    const get = () => wrapMember(faults, { key, method: String(name) }, Reflect.get(service, name), service)
    const set = (next: unknown) => void Reflect.set(service, name, next)
    Object.defineProperty(faultyService, name, { get, set, enumerable, configurable: true })
    // The value of a getter is undefined here. It can be an effect or a function, so it counts as a method.
    if (typeof name === "string" && (value === undefined || isCall(value) || typeof value === "function")) {
      methods.push(name)
    }
  }
  faults.registerPort(key, methods)
  wrapped.add(faultyService)
  return faultyService
}

/**
 * Wraps every port of a layer, so that {@link Faults} can inject faults into its methods and its effects. Calls between
 * ports of this layer are not intercepted. To intercept them, wrap each layer before you build the next one on it.
 * Calls of a port to its own methods are never intercepted.
 */
export const faulty = <P, E, R>(layer: Layer.Layer<P, E, R>): Layer.Layer<P, E, R | Faults> =>
  // `suspend` memoizes the layer, so all layers above it get the same wrapped ports.
  Layer.suspend(() =>
    Layer.flatMap(
      layer,
      (ports) =>
        Layer.effectContext(Effect.map(Faults, (faults) =>
          Context.makeUnsafe<P>(
            new Map(Array.from(ports.mapUnsafe, ([key, service]) => [
              key,
              // Jobs inside the layer keep using the unwrapped ports. This is intended, so `null` keeps `openLastro`
              // from rejecting the layer.
              key === PortsOfJobs.key ? null : wrapPort(faults, key, service)
            ]))
          )))
    )
  )
