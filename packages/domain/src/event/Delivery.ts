// A handler of the host can fail with any error.
// @effect-diagnostics anyUnknownInErrorContext:off
import { type Cause, Context, Deferred, Duration, Effect, Exit, Option } from "effect"
import { type DomainEvent } from "./DomainEvent.ts"
import { type EventLog } from "./EventLog.ts"
import { awaitEvent, type EventSource, readSource } from "./EventSource.ts"
import { type SubscriptionKey, SubscriptionLost, SubscriptionStore } from "./SubscriptionStore.ts"

/** The duration of a lease. After a crash, another process takes over when the lease has expired. */
const leaseMs = 10_000

/** The pause between two renewals of a lease. A lease survives two failed renewals. */
const renewMs = 3_000

/** The pause after which a process without the lease tries again. */
const standbyMs = 1_000

const firstPauseMs = 1_000
const longestPauseMs = 60_000

/**
 * An event whose handler fails is delivered again after 1 second, and then after twice as long each time, up to one
 * minute. Later events wait, so that the order is kept.
 * @rule EVENT-07
 */
export const redeliveryDelayMs = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 20), longestPauseMs)

/** A subscription that this process delivers. */
export interface Delivery {
  readonly key: SubscriptionKey
  readonly source: EventSource
  /** The id under which this process leases the subscription. */
  readonly holder: string
  /**
   * Handles an event, and moves the cursor with `move`. To handle each event exactly once, both are one transaction.
   */
  readonly handle: (event: DomainEvent, move: Effect.Effect<void, SubscriptionLost>) => Effect.Effect<void, unknown>
  /** Completes when the subscription stops. */
  readonly stopping: Deferred.Deferred<void>
}

/**
 * The result of one step. STANDBY: another process has the lease. MORE: there can be more events. IDLE: every event up
 * to `cursor` was handled. FAILED: an event was not handled, or the events could not be read.
 */
export type DeliveryStep =
  | { readonly _tag: "STANDBY" }
  | { readonly _tag: "MORE" }
  | { readonly _tag: "IDLE"; readonly cursor: number }
  | { readonly _tag: "FAILED"; readonly event: DomainEvent | undefined; readonly cause: Cause.Cause<unknown> }

const isLost = (error: unknown): error is SubscriptionLost => error instanceof SubscriptionLost

const standby: DeliveryStep = { _tag: "STANDBY" }
const more: DeliveryStep = { _tag: "MORE" }
const idle = (cursor: number): DeliveryStep => ({ _tag: "IDLE", cursor })
const failed = (event: DomainEvent | undefined, cause: Cause.Cause<unknown>): DeliveryStep => ({
  _tag: "FAILED",
  event,
  cause
})

/** Handles one event. Returns false if another process has leased the subscription meanwhile. */
const handleEvent = ({ handle }: Delivery, event: DomainEvent, move: Effect.Effect<void, SubscriptionLost>) =>
  Effect.catchIf(Effect.as(handle(event, move), true), isLost, () => Effect.succeed(false))

/**
 * Leases the subscription, reads up to 100 events and handles them one after another. Stops at the first failure. Runs
 * `onLease` when it has the lease, which the caller must then renew.
 */
export const deliverBatch = Effect.fnUntraced(function*(delivery: Delivery, onLease: () => void = () => {}) {
  const { holder, key, source, stopping } = delivery
  const store = yield* SubscriptionStore
  const leased = yield* store.lease(key, holder, leaseMs)
  if (Option.isNone(leased)) return standby
  onLease()
  let cursor = leased.value
  const slice = yield* Effect.exit(readSource(source, cursor))
  if (Exit.isFailure(slice)) return failed(undefined, slice.cause)
  const { events, next } = slice.value
  for (const event of events) {
    if (Deferred.isDoneUnsafe(stopping)) return more
    const move = store.move(key, { holder, from: cursor, to: event.sequence })
    const isHandled = yield* Effect.exit(handleEvent(delivery, event, move))
    if (Exit.isFailure(isHandled)) return failed(event, isHandled.cause)
    if (!isHandled.value) return standby
    cursor = event.sequence
  }
  if (next === cursor) return events.length === 0 ? idle(cursor) : more
  // The feed goes on with events of other types, which are skipped.
  const moved = yield* Effect.exit(store.move(key, { holder, from: cursor, to: next }))
  return Exit.isSuccess(moved) ? more : standby
})

/** Returns the name of an error. A message may contain personal data, so it is not logged. */
const nameOf = (error: unknown): string => {
  if (typeof error === "object" && error !== null && "_tag" in error && typeof error._tag === "string") {
    return error._tag
  }
  return error instanceof Error ? error.name : "unknown"
}

const logUndelivered = (
  { key }: Delivery,
  { cause, event }: Extract<DeliveryStep, { readonly _tag: "FAILED" }>,
  failures: number
) =>
  Effect.annotateLogs(
    Effect.logWarning("a subscription did not handle an event; retrying"),
    { subscription: key.name, event_id: event?.event_id ?? null, failures, failure: nameOf(causeOf(cause)) }
  )

const causeOf = (cause: Cause.Cause<unknown>): unknown => {
  const [reason] = cause.reasons
  if (reason?._tag === "Fail") return reason.error
  return reason?._tag === "Die" ? reason.defect : undefined
}

/** Handles the events of a subscription until it stops. At most one process at a time does this. */
const runDelivery = Effect.fnUntraced(function*(delivery: Delivery) {
  const { holder, key, source, stopping } = delivery
  const store = yield* SubscriptionStore
  const isStopping = () => Deferred.isDoneUnsafe(stopping)
  const pause = <R>(end: Effect.Effect<void, never, R>) => Effect.raceFirst(Deferred.await(stopping), end)
  let isLeased = false
  const renewing = Effect.forever(Effect.andThen(
    Effect.sleep(renewMs),
    Effect.suspend(() => isLeased ? Effect.ignoreCause(store.lease(key, holder, leaseMs)) : Effect.void)
  ))
  const running = Effect.gen(function*() {
    for (let failures = 0; !isStopping();) {
      const step: DeliveryStep = yield* Effect.catchCause(
        deliverBatch(delivery, () => {
          isLeased = true
        }),
        (cause) => Effect.succeed<DeliveryStep>({ _tag: "FAILED", event: undefined, cause })
      )
      isLeased = step._tag !== "STANDBY"
      failures = step._tag === "FAILED" ? failures + 1 : 0
      if (step._tag === "STANDBY") yield* pause(Effect.sleep(standbyMs))
      else if (step._tag === "IDLE") {
        // A read that keeps failing is reported by the next step.
        yield* pause(Effect.ignoreCause(awaitEvent(source, step.cursor)))
      } else if (step._tag === "FAILED") {
        yield* logUndelivered(delivery, step, failures)
        yield* pause(Effect.sleep(redeliveryDelayMs(failures)))
      }
    }
  })
  yield* Effect.ensuring(
    Effect.raceFirst(running, renewing),
    Effect.ignoreCause(Effect.timeoutOption(store.release(key, holder), Duration.seconds(2)))
  )
})

/** Starts the delivery of a subscription. The result completes when the subscription has ended. */
export type StartDelivery = (delivery: Delivery) => Effect.Effect<void, never, EventLog | SubscriptionStore>

/** Delivers events: in the background by default. The fixture of the testkit delivers on demand. */
export const EventDelivery = Context.Reference<StartDelivery>("@lastro/domain/event/Delivery/EventDelivery", {
  defaultValue: () => runDelivery
})
