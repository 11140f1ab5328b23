import { type Duration, Effect, Layer, ManagedRuntime } from "effect"
import { parseRequestId, RequestId } from "../audit/AuditLog.ts"
import { StatusWatch } from "../fgts/origination/StatusWatch.ts"
import { checkDomainCopies } from "../hierarchy/domainCopy.ts"
import { addressKey } from "../token/addressKey.ts"
import { ClientAddress } from "../token/verifySecret.ts"
import { callerFunctions } from "./CallerFunctions.ts"
import { type CallOptions } from "./CallOptions.ts"
import { hostFunctions } from "./HostFunctions.ts"
import { identityFunctions } from "./IdentityFunctions.ts"
import { type Lastro, LastroClosed } from "./Lastro.ts"
import { lenderFunctions } from "./LenderFunctions.ts"
import { operatorFunctions } from "./OperatorFunctions.ts"
import { type Run } from "./Run.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** Options of `openLastro`. */
export interface OpenOptions {
  /** The time that `close` waits for calls in progress before it interrupts them. Default: 10 seconds. */
  readonly closeTimeout?: Duration.Input
}

/** Provides the use cases with the request id and the client address of a call. */
const provideCall = ({ client_address, request_id }: CallOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provideService(ClientAddress, addressKey(client_address ?? "")),
    Effect.provideService(RequestId, parseRequestId(request_id) ?? null)
  )

/** Builds the ports. Rejects with DomainCopiesMixed if a package built its ports with another copy of the domain. */
const openPorts = async <Ports, E>(runtime: ManagedRuntime.ManagedRuntime<Ports, E>) => {
  const ports = await runtime.context()
  checkDomainCopies(ports)
  return ports
}

/**
 * Opens the ports of a layer and returns every use case as a function that returns a promise. If the layer cannot be built, for example
 * because a database is unreachable, the promise rejects with the cause and no port stays open. If an adapter was loaded with another copy
 * of this package, the promise rejects with DomainCopiesMixed.
 */
export const openLastro = async <More = never, E = never>(
  layer: Layer.Layer<UseCasePorts | More, E>,
  { closeTimeout = "10 seconds" }: OpenOptions = {}
): Promise<Lastro<More>> => {
  const runtime = ManagedRuntime.make(layer)
  const ports = await openPorts(runtime).catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })
  const inProgress = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const run: Run<UseCasePorts | More> = async (effect, options = {}) => {
    const { signal } = options
    if (closing !== undefined) throw new LastroClosed()
    signal?.throwIfAborted()
    const call = runtime.runPromise(Effect.result(provideCall(options)(Effect.suspend(effect))), { signal })
    const forget = () => inProgress.delete(call)
    inProgress.add(call)
    call.then(forget, forget)
    return call.catch((error: unknown) => {
      signal?.throwIfAborted()
      throw error
    })
  }

  const closePorts = async () => {
    try {
      await runtime.runPromise(Effect.flatMap(StatusWatch, ({ release }) => release))
      const settled = Effect.promise(() => Promise.allSettled(inProgress))
      await Effect.runPromise(Effect.timeoutOption(settled, closeTimeout))
    } finally {
      await runtime.dispose()
    }
  }
  const close = () => closing ??= closePorts()

  return {
    ...callerFunctions(run),
    ...hostFunctions(run),
    ...identityFunctions(run),
    ...lenderFunctions(run),
    ...operatorFunctions(run),
    run: (effect, options) => run(() => effect, options),
    layer: Layer.succeedContext(ports),
    close,
    [Symbol.asyncDispose]: close
  }
}
