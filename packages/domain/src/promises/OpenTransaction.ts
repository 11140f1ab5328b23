import { Cause, Context, Effect, Exit, Fiber, Option, type Result, Semaphore } from "effect"
import { type HostTransactions } from "../ports/HostTransactions.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { type ApplicationId } from "../values/ids.ts"
import { type CallOptions } from "./CallOptions.ts"
import { CallNotAwaited, CallOutsideTransaction, TransactionEnded } from "./transactionErrors.ts"

/**
 * Wraps an error for the host. A unit of work turns some database errors into Busy, but not this wrapper, so the error
 * reaches the host unchanged.
 */
export class Thrown<E = unknown> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

/** Throws WaitInTransaction if a call is a long poll with a `wait` above 0. */
export const refuseWait = (options: CallOptions): void => {
  if ("wait" in options && Number(options.wait) > 0) throw new WaitInTransaction()
}

/** Returns the innermost open transaction of the current asynchronous context. */
export const currentTransaction = (
  transactions: HostTransactions["Service"] | undefined
): OpenTransaction<never> | undefined => {
  let current = transactions?.current()
  while (current instanceof OpenTransaction && !current.isOpen) current = current.parent
  return current instanceof OpenTransaction ? current : undefined
}

/** Returns whether the current asynchronous context is in a callback on a host's client, at any depth. */
export const isInCallbackOf = (transactions: HostTransactions["Service"], client: object): boolean => {
  let transaction = currentTransaction(transactions)
  while (transaction !== undefined) {
    if (transaction.isOpen && transaction.client === client) return true
    transaction = transaction.enclosing
  }
  return false
}

/** The transaction of one callback. `context` contains the ports and the transaction itself. */
export class OpenTransaction<Ports> {
  readonly parent: OpenTransaction<Ports> | undefined
  /** The client of the host, if this transaction is part of a transaction on that client. */
  readonly client: object | undefined
  /** The transaction in whose callback this one began. It can use another client. */
  readonly enclosing: OpenTransaction<never> | undefined
  isOpen = true
  /** The applications whose long polls must end after the commit. */
  readonly changed = new Set<ApplicationId>()
  readonly #context: Context.Context<Ports>
  readonly #transactions: HostTransactions["Service"]
  readonly #turn = Semaphore.makeUnsafe(1)
  readonly #running = new Set<Fiber.Fiber<unknown, unknown>>()

  constructor(
    context: Context.Context<Ports>,
    transactions: HostTransactions["Service"],
    { client, enclosing, parent }: {
      readonly enclosing: OpenTransaction<never> | undefined
      readonly parent: OpenTransaction<Ports> | undefined
      readonly client: object | undefined
    }
  ) {
    const watch = Context.getOption(context, StatusWatch)
    const changed = (id: ApplicationId) => Effect.sync(() => void this.changed.add(id))
    // Before the commit, `changed` ends no long poll, but collects the application.
    this.#context = Option.isNone(watch)
      ? context
      : Context.add(context, StatusWatch, StatusWatch.of({ ...watch.value, changed })) as Context.Context<Ports>
    this.#transactions = transactions
    this.parent = parent
    this.client = client
    this.enclosing = enclosing
  }

  /** Returns whether a transaction began in the callback of this one, at any depth. */
  #encloses(inner: OpenTransaction<never> | undefined): boolean {
    for (let outer = inner?.parent; outer !== undefined; outer = outer.parent) {
      if (outer === this as unknown) return true
    }
    return false
  }

  /** Runs an effect in the transaction, after the earlier calls. */
  async call<A, E>(
    effect: Effect.Effect<A, E, Ports>,
    { signal }: Pick<CallOptions, "signal"> = {}
  ): Promise<Result.Result<A, E>> {
    if (!this.isOpen) throw new TransactionEnded()
    if (this.#encloses(currentTransaction(this.#transactions))) throw new CallOutsideTransaction()
    signal?.throwIfAborted()
    const fiber = Effect.runForkWith(this.#context)(Effect.result(this.#turn.withPermit(effect)), { signal })
    this.#running.add(fiber)
    const exit = await new Promise<Exit.Exit<Result.Result<A, E>>>((resolve) => {
      fiber.addObserver((ended) => {
        this.#running.delete(fiber)
        resolve(ended)
      })
    })
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasInterruptsOnly(exit.cause)) {
      signal?.throwIfAborted()
      if (!this.isOpen) throw new TransactionEnded()
    }
    throw Cause.squash(exit.cause)
  }

  /** Ends the transaction for the host, and interrupts the calls that still run. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.isOpen = false
    return Fiber.interruptAll(this.#running)
  })

  /** Fails if a call still runs, because its result would be lost. */
  readonly checkSettled: Effect.Effect<void, Thrown> = Effect.suspend(() =>
    this.#running.size === 0 ? Effect.void : Effect.fail(new Thrown(new CallNotAwaited()))
  )
}
