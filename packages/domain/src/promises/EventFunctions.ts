// A handler of the host can fail with any error.
// @effect-diagnostics anyUnknownInErrorContext:off unknownInEffectCatch:off
import { Deferred, Duration, Effect, Exit, Option, Result } from "effect"
import { type Delivery, EventDelivery } from "../event/Delivery.ts"
import { type DomainEvent } from "../event/DomainEvent.ts"
import { EventLog, type EventsExpired } from "../event/EventLog.ts"
import { type EventSelection, type EventSource, findEventSource, isSequence, readBatch } from "../event/EventSource.ts"
import { type SubscriptionKey, SubscriptionStore } from "../event/SubscriptionStore.ts"
import { type NotFound } from "../hierarchy/Scope.ts"
import { fieldProblem } from "../input/FieldProblem.ts"
import { invalidFormat } from "../input/TextFormat.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { IdGenerator } from "../ports/generators.ts"
import { type PartnerTree } from "../ports/PartnerTree.ts"
import { type CallOptions } from "./CallOptions.ts"
import {
  type LastroTransaction,
  orThrow,
  type TransactionCalls,
  type TransactionFunctions
} from "./LastroTransaction.ts"
import { type Run } from "./Run.ts"

/** Options of a subscription. */
export interface SubscribeOptions extends EventSelection {
  /**
   * The start of a new subscription: `oldest` (the oldest kept event), `newest` (after the newest event), or after a
   * sequence. Default: `oldest`. A stored subscription continues where it stopped.
   */
  readonly from?: "oldest" | "newest" | number | undefined
  /** The maximum duration of one call of the handler. A longer call counts as failed. Default: 10 seconds. */
  readonly timeout?: Duration.Input | undefined
  /** If true, the handler gets a transaction that also stores the position of the subscription. Default: false. */
  readonly transaction?: boolean | undefined
}

/** A running subscription. */
export interface Subscription extends AsyncDisposable {
  /**
   * Stops after the current event. Another process with the same subscription then continues. Do not await it in the
   * handler, because it waits for the handler.
   */
  readonly stop: () => Promise<void>
}

/** Options of `events`. */
export interface EventsOptions extends EventSelection {
  /** Only events after this sequence. Default: all events that are kept. */
  readonly after?: number | undefined
  /** Ends the iteration when it aborts. */
  readonly signal?: CallOptions["signal"]
}

/** Handles an event. If the promise rejects, the event comes again. */
export type EventHandler = (event: DomainEvent) => PromiseLike<unknown>

/** Handles an event in a transaction that also stores the position of the subscription. `Tx` is the type of `tx`. */
export type EventHandlerInTransaction<Tx = LastroTransaction> = (event: DomainEvent, tx: Tx) => PromiseLike<unknown>

/** The ports that the functions of events need. */
export type PortsOfEvents = EventLog | IdGenerator | PartnerTree | SubscriptionStore

/** The part of `tx` with which a position is stored. */
type MovingTransaction = Pick<TransactionCalls<unknown, never>, "run">

type Subscribed = Promise<Result.Result<Subscription, EventsExpired | NotFound | ValidationFailed>>

/**
 * The functions that follow the events of a partner and of the partners below it. They check no permissions. `Tx` is
 * the type of `tx`.
 */
export interface EventFunctions<Tx = LastroTransaction> {
  /**
   * Calls a handler with each event, one at a time and in order, until you stop it. The position is stored under the
   * name, so the subscription continues after a restart. No event is skipped. If the handler throws, it gets the same
   * event again: after 1 second, and then after twice as long each time, up to one minute.
   *
   * Several processes can use the same name for the same tree. One of them handles the events. After a crash, another
   * one takes over within 10 seconds. The handler can get an event again if a process ends before the position is
   * stored. With `transaction: true`, the transaction of `tx` stores the position, so your writes with `tx` happen
   * exactly once.
   *
   * Fails with EventsExpired if events after the stored position were deleted. Then subscribe with another name.
   */
  readonly subscribe: {
    (
      name: string,
      handler: EventHandlerInTransaction<Tx>,
      options: SubscribeOptions & { readonly transaction: true }
    ): Subscribed
    (
      name: string,
      handler: EventHandler,
      options: SubscribeOptions & { readonly transaction?: false | undefined }
    ): Subscribed
  }
  /**
   * Iterates over the events after a sequence, and waits for new ones. Reads at most 100 events ahead. Ends when the
   * signal aborts or the facade closes. To continue later, pass the sequence of the last event as `after`. Throws
   * NotFound, ValidationFailed or EventsExpired.
   */
  readonly events: (options: EventsOptions) => AsyncIterable<DomainEvent>
}

/** The handler of a subscription did not end in time. */
class HandlerTimeout extends Error {
  override readonly name = "HandlerTimeout"
}

const defaultTimeout = Duration.seconds(10)

const maxNameLength = 100

const isName = (name: unknown): name is string =>
  typeof name === "string" && name.length <= maxNameLength && /^[\w.:-]+$/.test(name)

/** Returns the position of a new subscription: the sequence before the first event. */
const firstCursor = Effect.fnUntraced(function*(
  { partner_id, root_id }: EventSource,
  from: SubscribeOptions["from"] = "oldest"
) {
  const log = yield* EventLog
  if (from === "newest") return yield* log.last(root_id)
  if (from === "oldest") {
    const { events: [first], next } = yield* log.read(partner_id, root_id, { limit: 1 })
    return first === undefined ? next : first.sequence - 1
  }
  if (isSequence(from)) return from
  return yield* new ValidationFailed({
    problems: [fieldProblem("from", invalidFormat("`oldest`, `newest` or a sequence"))]
  })
})

const isTimeout = (timeout: Duration.Input): boolean => Option.exists(Duration.fromInput(timeout), Duration.isPositive)

/** Checks the options, and stores a new subscription. */
const openSubscription = Effect.fnUntraced(function*(name: string, { from, timeout, ...selection }: SubscribeOptions) {
  const problems = [
    ...isName(name) ? [] : [fieldProblem("name", invalidFormat("1 to 100 letters, digits and . : _ -"))],
    ...isTimeout(timeout ?? defaultTimeout)
      ? []
      : [fieldProblem("timeout", invalidFormat("a duration above zero, such as `10 seconds`"))]
  ]
  if (problems.length > 0) return yield* new ValidationFailed({ problems })
  const source = yield* findEventSource(selection)
  const key: SubscriptionKey = { root_id: source.root_id, name }
  const cursor = yield* (yield* SubscriptionStore).open(key, yield* firstCursor(source, from))
  // This read fails if events after the stored position were deleted.
  yield* (yield* EventLog).read(source.partner_id, source.root_id, { after: cursor, limit: 1 })
  return { key, source, holder: yield* (yield* IdGenerator).next }
})

const unchanged = (error: unknown): unknown => error

/** Calls a handler without a transaction, and then stores the position. */
const handleAlone = (handler: EventHandler, timeout: Duration.Input): Delivery["handle"] => (event, move) =>
  Effect.tryPromise({ try: async () => handler(event), catch: unchanged }).pipe(
    Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(new HandlerTimeout()) }),
    Effect.andThen(move)
  )

/** Creates the functions that follow events. */
export const eventFunctions = <Tx extends MovingTransaction>(
  { atomically, closing, run, runWithin }: {
    readonly atomically: TransactionFunctions<Tx>["atomically"]
    /** Completes when the facade begins to close. */
    readonly closing: Deferred.Deferred<void>
    readonly run: Run<PortsOfEvents>
    readonly runWithin: Run<PortsOfEvents>
  }
): EventFunctions<Tx> => {
  /**
   * Calls a handler in the transaction that stores the position. The position is stored first, because that locks the
   * subscription.
   */
  const handleInTransaction =
    (handler: EventHandlerInTransaction<Tx>, timeout: Duration.Input): Delivery["handle"] => (event, move) =>
      Effect.asVoid(Effect.tryPromise({
        try: () =>
          atomically(async (tx) => {
            orThrow(await tx.run(move))
            await handler(event, tx)
          }, { timeout }),
        catch: unchanged
      }))

  const subscribe = async (
    name: string,
    handler: EventHandlerInTransaction<Tx>,
    options: SubscribeOptions
  ): Subscribed => {
    const { timeout = defaultTimeout, transaction = false } = options
    const opened = await run(() => openSubscription(name, options))
    if (Result.isFailure(opened)) return Result.fail(opened.failure)
    const stopping = Deferred.makeUnsafe<void>()
    const delivery: Delivery = {
      ...opened.success,
      stopping,
      handle: transaction
        ? handleInTransaction(handler, timeout)
        : handleAlone(handler as EventHandler, timeout)
    }
    const delivering = Effect.gen(function*() {
      yield* Effect.forkChild(Effect.andThen(Deferred.await(closing), Deferred.succeed(stopping, undefined)))
      const start = yield* EventDelivery
      yield* start(delivery)
    })
    // When the facade closes, it interrupts a handler that takes too long.
    const ended = runWithin(() => delivering).then(() => {}, () => {})
    const stop = async () => {
      Deferred.doneUnsafe(stopping, Exit.void)
      await ended
    }
    return Result.succeed({ stop, [Symbol.asyncDispose]: stop })
  }

  const events = async function*({ signal, ...selection }: EventsOptions): AsyncGenerator<DomainEvent> {
    const isOver = () => signal?.aborted === true || Deferred.isDoneUnsafe(closing)
    const read = async (source: EventSource, from: number | undefined) => {
      try {
        return await run(
          () => Effect.raceFirst(readBatch(source, from), Effect.as(Deferred.await(closing), null)),
          { signal }
        )
      } catch (error) {
        if (isOver()) return Result.succeed(null)
        throw error
      }
    }
    if (isOver()) return
    const source = orThrow(await run(() => findEventSource(selection)))
    let from = selection.after
    while (!isOver()) {
      // oxlint-disable-next-line eslint/no-await-in-loop -- each read begins where the previous one ended
      const slice = orThrow(await read(source, from))
      for (const event of slice?.events ?? []) {
        if (isOver()) return
        yield event
      }
      from = slice?.next ?? from
    }
  }

  return { subscribe, events }
}
