import { Context, Deferred, type Duration, Effect, Exit, Layer, ManagedRuntime, Option } from "effect"
import { keepRequestId, RequestId } from "../audit/AuditLog.ts"
import { checkDomainCopies } from "../hierarchy/domainCopy.ts"
import { addressKey } from "../identity/addressKey.ts"
import { ClientAddress } from "../identity/verifySecret.ts"
import { ensureJobPorts } from "../jobs/JobPorts.ts"
import { HostTransactions } from "../ports/HostTransactions.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type Facade } from "./Facade.ts"
import { LastroClosed } from "./Lastro.ts"
import { currentTransaction } from "./OpenTransaction.ts"
import { type Run } from "./Run.ts"
import { CallOutsideTransaction } from "./transactionErrors.ts"

/** Options of `openLastro` and of the functions that open a part of it. */
export interface OpenOptions {
  /** The time that `close` waits for calls in progress before it interrupts them. Default: 10 seconds. */
  readonly closeTimeout?: Duration.Input | undefined
}

// The names of the fields of these two types are the sentences that the compiler shows for an incomplete layer.
interface LacksLayer<Services> {
  readonly "This layer still requires services. Add the layers that provide them with Layer.provideMerge:": Services
}

interface LacksPort<Ports> {
  readonly "This layer does not provide these ports. Merge the layers that provide them:": Ports
}

/**
 * The type of a layer that cannot be opened. No layer has it, so the compiler's error names the missing services. `Out`
 * are the services that the layer provides, `In` those that it requires, and `Ports` the needed ones.
 */
export type IncompleteLayer<Out, E, In, Ports> =
  & Layer.Layer<Out, E, In>
  & ([In] extends [never] ? LacksPort<Exclude<Ports, Out>> : LacksLayer<In>)

/** Provides an effect with the request id and the client address of its call. */
const provideCall = ({ client_address, request_id }: CallOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(keepRequestId(request_id), (id) =>
    effect.pipe(
      Effect.provideService(ClientAddress, addressKey(client_address ?? "")),
      Effect.provideService(RequestId, id)
    ))

/** Ends all long polls, if the layer provides a StatusWatch. */
const releaseLongPolls = Effect.flatMap(
  Effect.serviceOption(StatusWatch),
  Option.match({ onNone: () => Effect.void, onSome: ({ release }) => release })
)

interface OpenPorts<Ports> {
  /**
   * Builds and runs effects. In the callback of a transaction, it rejects, because the effect would not be part of the
   * transaction.
   */
  readonly run: Run<Ports>
  /** Builds and runs effects, even in the callback of a transaction. */
  readonly runWithin: Run<Ports>
  /** Completes when `close` begins. */
  readonly closing: Deferred.Deferred<void>
  /** The functions that every facade has. */
  readonly facade: Facade<Ports>
  /** Undefined if the layer lacks the port. */
  readonly transactions: HostTransactions["Service"] | undefined
}

/** Opens the ports of a layer. */
export const openPorts = async <Ports, E>(
  layer: Layer.Layer<Ports, E>,
  { closeTimeout = "10 seconds" }: OpenOptions
): Promise<OpenPorts<Ports>> => {
  const runtime = ManagedRuntime.make(layer)
  const opening = Effect.andThen(
    ensureJobPorts,
    Effect.tap(Effect.context<Ports>(), (built) => Effect.sync(() => checkDomainCopies(built)))
  )
  const ports = await runtime.runPromise(opening).catch(async (error: unknown) => {
    await runtime.dispose()
    throw error
  })
  const inProgress = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  const transactions = Option.getOrUndefined(Context.getOption(ports, HostTransactions))
  const checkOutside = () => {
    if (currentTransaction(transactions) !== undefined) throw new CallOutsideTransaction()
  }

  const runWithin: Run<Ports> = async (effect, options = {}) => {
    const { signal } = options
    if (closed !== undefined) throw new LastroClosed()
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

  const run: Run<Ports> = async (effect, options) => {
    checkOutside()
    return runWithin(effect, options)
  }

  const closing = Deferred.makeUnsafe<void>()
  const closePorts = async () => {
    Deferred.doneUnsafe(closing, Exit.void)
    try {
      await runtime.runPromise(releaseLongPolls)
      const settled = Effect.promise(() => Promise.allSettled(inProgress))
      await Effect.runPromise(Effect.timeoutOption(settled, closeTimeout))
    } finally {
      await runtime.dispose()
    }
  }
  const close = async () => {
    checkOutside()
    return closed ??= closePorts()
  }

  const facade: Facade<Ports> = {
    run: (effect, options) => run(() => effect, options),
    layer: Layer.succeedContext(ports),
    close,
    [Symbol.asyncDispose]: close
  }
  return { run, runWithin, closing, facade, transactions }
}
