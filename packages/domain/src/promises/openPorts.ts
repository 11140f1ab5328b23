import { type Duration, Effect, Layer, ManagedRuntime, Option } from "effect"
import { parseRequestId, RequestId } from "../audit/AuditLog.ts"
import { StatusWatch } from "../fgts/origination/StatusWatch.ts"
import { ensureJobPorts } from "../fgts/work/JobPorts.ts"
import { addressKey } from "../token/addressKey.ts"
import { ClientAddress } from "../token/verifySecret.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Facade } from "./Facade.ts"
import { LastroClosed } from "./Lastro.ts"
import { type Run } from "./Run.ts"

/** Options of `openLastro` and of the functions that open a part of it. */
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

/** Ends all long polls, if the layer provides a StatusWatch. */
const releaseLongPolls = Effect.flatMap(
  Effect.serviceOption(StatusWatch),
  Option.match({ onNone: () => Effect.void, onSome: ({ release }) => release })
)

/** Opens the ports of a layer. `call` builds and runs effects; `facade` has the functions that every facade has. */
export const openPorts = async <Ports, E>(
  layer: Layer.Layer<Ports, E>,
  { closeTimeout = "10 seconds" }: OpenOptions
): Promise<{ readonly call: Run<Ports>; readonly facade: Facade<Ports> }> => {
  const runtime = ManagedRuntime.make(layer)
  const ports = await runtime.runPromise(Effect.andThen(ensureJobPorts, Effect.context<Ports>())).catch(
    async (error: unknown) => {
      await runtime.dispose()
      throw error
    }
  )
  const inProgress = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const run: Run<Ports> = async (effect, options = {}) => {
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
      await runtime.runPromise(releaseLongPolls)
      const settled = Effect.promise(() => Promise.allSettled(inProgress))
      await Effect.runPromise(Effect.timeoutOption(settled, closeTimeout))
    } finally {
      await runtime.dispose()
    }
  }
  const close = () => closing ??= closePorts()

  const facade: Facade<Ports> = {
    run: (effect, options) => run(() => effect, options),
    layer: Layer.succeedContext(ports),
    close,
    [Symbol.asyncDispose]: close
  }
  return { call: run, facade }
}
