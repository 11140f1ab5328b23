import { Context, type Duration, Effect, Layer, ManagedRuntime, Option } from "effect"
import { parseRequestId, RequestId } from "../audit/AuditLog.ts"
import { StatusWatch } from "../fgts/origination/StatusWatch.ts"
import { addressKey } from "../token/addressKey.ts"
import { ClientAddress } from "../token/verifySecret.ts"
import { HostTransactions } from "../transaction/HostTransactions.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Lastro, LastroClosed } from "./Lastro.ts"
import { currentTransaction } from "./OpenTransaction.ts"
import { type Run } from "./Run.ts"
import { CallOutsideTransaction } from "./transactionErrors.ts"
import { transactionFunctions } from "./transactionFunctions.ts"
import { useCaseFunctions } from "./UseCaseFunctions.ts"
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

/**
 * Opens the ports of a layer and returns every use case as a function that returns a promise. If the layer cannot be built, for example
 * because a database is unreachable, the promise rejects with the cause and no port stays open.
 */
export const openLastro = async <More = never, E = never>(
  layer: Layer.Layer<UseCasePorts | More, E>,
  { closeTimeout = "10 seconds" }: OpenOptions = {}
): Promise<Lastro<More>> => {
  const runtime = ManagedRuntime.make(layer)
  const ports = await runtime.context().catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })
  const inProgress = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  const transactions = Option.getOrUndefined(Context.getOption(ports, HostTransactions))
  const checkOutside = () => {
    if (currentTransaction(transactions) !== undefined) throw new CallOutsideTransaction()
  }

  const runWithin: Run<UseCasePorts | More> = async (effect, options = {}) => {
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

  const run: Run<UseCasePorts | More> = async (effect, options) => {
    checkOutside()
    return runWithin(effect, options)
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
  const close = async () => {
    checkOutside()
    return closing ??= closePorts()
  }

  return {
    ...useCaseFunctions(run),
    ...transactionFunctions({ transactions, run, runWithin, useCases: useCaseFunctions }),
    layer: Layer.succeedContext(ports),
    close,
    [Symbol.asyncDispose]: close
  }
}
