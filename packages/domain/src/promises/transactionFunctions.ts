import { Duration, Effect, Result } from "effect"
import { keepRequestId, RequestId } from "../audit/AuditLog.ts"
import { addressKey } from "../identity/addressKey.ts"
import { ClientAddress } from "../identity/verifySecret.ts"
import { type DatabaseClient } from "../ports/DatabaseClient.ts"
import {
  type HostRows,
  type HostTransactions,
  StatementFailed,
  type StatementRefused
} from "../ports/HostTransactions.ts"
import { endWaits } from "../ports/StatusWatch.ts"
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

/** The parts from which the transactions of a Lastro are made. `Tx` is the type of `tx`. */
interface Parts<Tx extends TransactionCalls<Tx, Ports>, Ports> {
  /** Runs a call outside of any transaction. */
  readonly run: Run<Ports | UnitOfWork>
  /** Runs a call, also in the callback of a transaction. */
  readonly runWithin: Run<Ports | UnitOfWork>
  /** Undefined if the layer has no transactions. */
  readonly transactions: HostTransactions["Service"] | undefined
  /** Creates the use cases of `tx`, which `run` runs. */
  readonly functions: (run: Run<Ports>) => Omit<Tx, keyof TransactionCalls<Tx, Ports>>
}

type Open<Ports> = OpenTransaction<Ports | UnitOfWork>

/** The functions that differ between the two kinds of `tx`. */
interface OwnCalls<Tx, Ports> {
  readonly call: Run<Ports>
  readonly query: (
    text: string,
    values: ReadonlyArray<unknown>
  ) => Promise<Result.Result<HostRows<object>, unknown>>
  readonly atomically: <A>(work: Work<Tx, A>) => Promise<A>
}

const makeTx = <Tx extends TransactionCalls<Tx, Ports>, Ports>(
  { functions }: Parts<Tx, Ports>,
  { atomically, call, query }: OwnCalls<Tx, Ports>
): Tx => {
  const runUseCase: Run<Ports> = async (effect, options = {}) => {
    refuseWait(options)
    return call(effect, options)
  }
  const calls: TransactionCalls<Tx, Ports> = {
    run: (effect, options) => runUseCase(() => effect, options),
    query: async <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) =>
      valueOrThrow(await query(text, values)) as HostRows<Row>,
    atomically
  }
  // `Tx` consists of exactly these two parts.
  return { ...functions(runUseCase), ...calls } as Tx
}

/** The place of a callback: in the callback of `parent`, or on the `client` of the host. */
interface Place<Ports> {
  readonly parent?: Open<Ports>
  readonly client?: object
  readonly enclosing?: OpenTransaction<never> | undefined
  readonly timeout?: Duration.Input
}

/** Runs a callback as a unit of work, with its own `tx`. Returns its value, and the applications that it changed. */
const runWork = <Tx extends TransactionCalls<Tx, Ports>, Ports, A>(
  parts: Parts<Tx, Ports>,
  work: Work<Tx, A>,
  { client, enclosing, parent, timeout }: Place<Ports>
) =>
  Effect.gen(function*() {
    const { transactions } = parts
    if (transactions === undefined) return yield* Effect.die(new TransactionsUnavailable())
    return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
      const open = new OpenTransaction(yield* Effect.context<Ports | UnitOfWork>(), transactions, {
        client: parent?.client ?? client,
        enclosing: parent?.enclosing ?? enclosing,
        parent
      })
      const body = Effect.tryPromise({
        try: async () => transactions.enter(open, () => work(txOfCallback(parts, transactions, open))),
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

/** Creates the `tx` of a callback. */
const txOfCallback = <Tx extends TransactionCalls<Tx, Ports>, Ports>(
  parts: Parts<Tx, Ports>,
  transactions: HostTransactions["Service"],
  open: Open<Ports>
): Tx =>
  makeTx(parts, {
    call: async (effect, options = {}) => {
      const program = Effect.flatMap(UnitOfWork, ({ atomically }) => inUnit(atomically, Effect.suspend(effect)))
      return open.call(provideOwn(options)(program), options)
    },
    query: (text, values) => open.call(Effect.mapError(transactions.query(text, values), thrownBy)),
    atomically: async (work) => {
      const { changed, value } = valueOrThrow(await open.call(runWork(parts, work, { parent: open })))
      for (const id of changed) open.changed.add(id)
      return value
    }
  })

/** Creates the `tx` on a client of the host, which has begun a transaction. */
const txOnClient = <Tx extends TransactionCalls<Tx, Ports>, Ports>(
  parts: Parts<Tx, Ports>,
  transactions: HostTransactions["Service"],
  client: DatabaseClient
): Tx => {
  const unit = transactions.within(client)
  const refuseInCallback = () => {
    if (isInCallbackOf(transactions, client)) throw new CallOutsideTransaction()
  }
  const call: Run<Ports | UnitOfWork> = async (effect, options = {}) => {
    refuseInCallback()
    return parts.runWithin(() => inUnit(unit.atomically, Effect.suspend(effect)), options)
  }
  return makeTx(parts, {
    call,
    query: async (text, values) => {
      refuseInCallback()
      return parts.runWithin(() => Effect.mapError(unit.query(text, values), thrownBy))
    },
    atomically: async (work) => {
      // Read here, because a fiber does not keep the asynchronous context.
      const enclosing = currentTransaction(transactions)
      const place = { client, enclosing, timeout: defaultTimeout }
      return valueOrThrow(await call(() => runWork(parts, work, place))).value
    }
  })
}

/** Creates `atomically` and `within`. */
export const transactionFunctions = <Tx extends TransactionCalls<Tx, Ports>, Ports>(
  parts: Parts<Tx, Ports>
): TransactionFunctions<Tx> => ({
  atomically: async (work, { timeout = defaultTimeout, ...options } = {}) => {
    const committed = await parts.run(
      () => Effect.tap(runWork(parts, work, { timeout }), ({ changed }) => endWaits(changed)),
      options
    )
    return valueOrThrow(committed).value
  },
  within: (client) => {
    if (parts.transactions === undefined) throw new TransactionsUnavailable()
    return txOnClient(parts, parts.transactions, client)
  }
})
