import { Duration, Effect, Option, Result } from "effect"
import { keepRequestId, RequestId } from "../audit/AuditLog.ts"
import { addressKey } from "../identity/addressKey.ts"
import { ClientAddress } from "../identity/verifySecret.ts"
import {
  type HostRows,
  type HostTransactions,
  StatementFailed,
  type StatementRefused
} from "../ports/HostTransactions.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { type Busy, UnitOfWork } from "../ports/UnitOfWork.ts"
import { type CallOptions } from "./CallOptions.ts"
import { type TransactionCalls, type TransactionFunctions } from "./LastroTransaction.ts"
import { currentTransaction, isInCallbackOf, OpenTransaction, refuseWait, Thrown } from "./OpenTransaction.ts"
import { type Run } from "./Run.ts"
import { CallOutsideTransaction, TransactionsUnavailable, TransactionTimeout } from "./transactionErrors.ts"

/** Default maximum duration of a transaction. */
const defaultTimeout = Duration.seconds(10)

type Work<Tx, A> = (tx: Tx) => PromiseLike<A>

/** Provides an effect with the request id and the client address of its call. Default: those of the transaction. */
const provideOwn = ({ client_address, request_id }: CallOptions) => <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const addressed = client_address === undefined
    ? effect
    : Effect.provideService(effect, ClientAddress, addressKey(client_address))
  return Effect.flatMap(
    keepRequestId(request_id),
    (id) => id === null ? addressed : Effect.provideService(addressed, RequestId, id)
  )
}

const valueOrThrow = <A>(result: Result.Result<A, unknown>): A =>
  Result.getOrThrowWith(result, (failure) => failure instanceof Thrown ? failure.error : failure)

/** Wraps the error for the host: the unchanged error of the database, or the refusal of the statement. */
const thrownBy = (error: StatementFailed | StatementRefused): Thrown =>
  new Thrown(error instanceof StatementFailed ? error.cause : error)

/**
 * Runs a use case as a nested unit of work, so that a failure rolls back only its own writes. The failures of the use
 * case are unchanged. A failure of the unit of work itself becomes a defect, because the type of the use case does not
 * list it.
 */
const inUnit = <A, E, R>(
  atomically: (effect: Effect.Effect<A, Thrown<E>, R>) => Effect.Effect<A, Thrown<E> | Busy, R>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.catch(
    atomically(Effect.mapError(effect, (error) => new Thrown(error))),
    (error) => error instanceof Thrown ? Effect.fail(error.error) : Effect.die(error)
  )

/**
 * Creates `atomically` and `within`. `run` runs a call outside of any transaction, `runWithin` also in the callback of
 * one. `functions` creates the use cases of `tx`.
 */
export const transactionFunctions = <Tx extends TransactionCalls<Tx, Ports>, Ports>(
  { functions, run, runWithin, transactions }: {
    readonly run: Run<Ports | UnitOfWork>
    readonly runWithin: Run<Ports | UnitOfWork>
    readonly transactions: HostTransactions["Service"] | undefined
    readonly functions: (run: Run<Ports>) => Omit<Tx, keyof TransactionCalls<Tx, Ports>>
  }
): TransactionFunctions<Tx> => {
  type Open = OpenTransaction<Ports | UnitOfWork>

  /** Creates `tx`, whose use cases are run by `call`. */
  const makeTx = (call: Run<Ports>, own: Pick<TransactionCalls<Tx, Ports>, "atomically" | "query">): Tx => {
    const calls: TransactionCalls<Tx, Ports> = { ...own, run: (effect, options) => call(() => effect, options) }
    // `Tx` consists of exactly these two parts.
    return { ...functions(call), ...calls } as Tx
  }

  const required = Effect.suspend(() =>
    transactions === undefined ? Effect.die(new TransactionsUnavailable()) : Effect.succeed(transactions)
  )

  /** Runs a callback as a unit of work. Returns its value, and the applications that it changed. */
  const runWork = <A>(work: Work<Tx, A>, { enclosing, parent, scope = parent?.scope, timeout }: {
    readonly enclosing?: OpenTransaction<never> | undefined
    readonly parent?: Open
    readonly scope?: object | undefined
    readonly timeout?: Duration.Input
  }) =>
    Effect.gen(function*() {
      const joined = yield* required
      return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
        const open = new OpenTransaction(yield* Effect.context<Ports | UnitOfWork>(), joined, {
          enclosing: parent?.enclosing ?? enclosing,
          parent,
          scope
        })
        const body = Effect.tryPromise({
          try: async () => joined.enter(open, () => work(transactionOf(open))),
          catch: (error) => new Thrown(error)
        })
        const ended = timeout === undefined ? body : Effect.timeoutOrElse(body, {
          duration: timeout,
          orElse: () => Effect.fail(new Thrown(new TransactionTimeout(timeout)))
        })
        const value = yield* Effect.ensuring(Effect.tap(ended, () => open.checkSettled), open.end)
        return { value, changed: open.changed }
      }))
    })

  /** Creates the functions of `tx` for a callback. */
  const transactionOf = (open: Open): Tx => {
    const call: Run<Ports> = async (effect, options = {}) => {
      refuseWait(options)
      const program = Effect.flatMap(UnitOfWork, ({ atomically }) => inUnit(atomically, Effect.suspend(effect)))
      return open.call(provideOwn(options)(program), options)
    }
    return makeTx(call, {
      query: async <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) => {
        const rows = Effect.flatMap(required, ({ query }) => query(text, values))
        return valueOrThrow(await open.call(Effect.mapError(rows, thrownBy))) as HostRows<Row>
      },
      atomically: async (work) => {
        const { changed, value } = valueOrThrow(await open.call(runWork(work, { parent: open })))
        for (const id of changed) open.changed.add(id)
        return value
      }
    })
  }

  const atomically: TransactionFunctions<Tx>["atomically"] = async (
    work,
    { timeout = defaultTimeout, ...options } = {}
  ) =>
    valueOrThrow(
      await run(() =>
        Effect.gen(function*() {
          const { changed, value } = yield* runWork(work, { timeout })
          const watch = yield* Effect.serviceOption(StatusWatch)
          if (Option.isSome(watch)) yield* Effect.forEach(changed, watch.value.changed, { discard: true })
          return value
        }), options)
    )

  const within: TransactionFunctions<Tx>["within"] = (client) => {
    if (transactions === undefined) throw new TransactionsUnavailable()
    const unit = transactions.within(client)
    const refuseInCallback = () => {
      if (isInCallbackOf(transactions, client)) throw new CallOutsideTransaction()
    }
    const join = async <A, E>(
      effect: () => Effect.Effect<A, E, Ports | UnitOfWork>,
      options: CallOptions = {}
    ): Promise<Result.Result<A, E>> => {
      refuseInCallback()
      return runWithin(() => inUnit(unit.atomically, Effect.suspend(effect)), options)
    }
    const call: Run<Ports> = async (effect, options = {}) => {
      refuseWait(options)
      return join(effect, options)
    }
    return makeTx(call, {
      query: async <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) => {
        refuseInCallback()
        const result = await runWithin(() => Effect.mapError(unit.query(text, values), thrownBy))
        return valueOrThrow(result) as HostRows<Row>
      },
      atomically: async (work) => {
        // Read here, because a fiber does not keep the asynchronous context.
        const enclosing = currentTransaction(transactions)
        return valueOrThrow(await join(() => runWork(work, { enclosing, scope: client, timeout: defaultTimeout })))
          .value
      }
    })
  }

  return { atomically, within }
}
