import { type Duration, Effect, Layer, ManagedRuntime } from "effect"
import { StatusWatch } from "../fgts/origination/StatusWatch.ts"
import { administration } from "./administration.ts"
import { aboutCall, type Run } from "./calls.ts"
import { identity } from "./identity.ts"
import { type Lastro } from "./Lastro.ts"
import { LastroClosed } from "./LastroClosed.ts"
import { operator } from "./operator.ts"
import { origination } from "./origination.ts"
import { type UseCasePorts } from "./UseCasePorts.ts"

/** How a Lastro is opened. */
export interface OpenOptions {
  /** How long `close` waits for calls in progress before they are interrupted; ten seconds unless given. */
  readonly patience?: Duration.Input
}

/**
 * Opens the ports that a layer provides, and gives every use case over them as a function of a promise. Rejects with what keeps the
 * layer from being built, a database that cannot be reached, say; nothing is left open then.
 */
export const openLastro = async <More = never, E = never>(
  layer: Layer.Layer<UseCasePorts | More, E>,
  { patience = "10 seconds" }: OpenOptions = {}
): Promise<Lastro<More>> => {
  const runtime = ManagedRuntime.make(layer)
  const ports = await runtime.context().catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })
  const inProgress = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const run: Run<UseCasePorts | More> = async (effect, options = {}) => {
    const { signal } = options
    if (closing !== undefined) throw new LastroClosed()
    signal?.throwIfAborted()
    const call = runtime.runPromise(Effect.result(aboutCall(options)(Effect.suspend(effect))), { signal })
    const ended = () => inProgress.delete(call)
    inProgress.add(call)
    call.then(ended, ended)
    return call.catch((error: unknown) => {
      signal?.throwIfAborted()
      throw error
    })
  }

  const closed = async () => {
    try {
      await runtime.runPromise(Effect.flatMap(StatusWatch, ({ release }) => release))
      const settled = Effect.promise(() => Promise.allSettled(inProgress))
      await Effect.runPromise(Effect.timeoutOption(settled, patience))
    } finally {
      await runtime.dispose()
    }
  }
  const close = () => closing ??= closed()

  return {
    ...administration(run),
    ...identity(run),
    ...operator(run),
    ...origination(run),
    run: (effect, options) => run(() => effect, options),
    layer: Layer.succeedContext(ports),
    close,
    [Symbol.asyncDispose]: close
  }
}
