import { Context, Deferred, Effect, type Fiber, Latch, Layer, Semaphore } from "effect"
import { type AuditLog } from "../audit/AuditLog.ts"
import { EventLog, type EventSlice } from "../event/EventLog.ts"
import { type IdGenerator } from "../ports/generators.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { endWithin } from "../values/endWithin.ts"
import { deliverySlots } from "../webhook/attempts.ts"
import { deliverWebhook, startWebhookMetrics } from "../webhook/deliverWebhook.ts"
import { type WebhookLease, WebhookQueue } from "../webhook/WebhookQueue.ts"
import { type WebhookSender } from "../webhook/WebhookSender.ts"
import { NodeCondition } from "./NodeCondition.ts"

/** Options of the worker that delivers webhooks. */
export interface WebhookWorkerOptions {
  /** A latch that opens when a webhook may have something to deliver. The worker then polls at once. */
  readonly wakeUp?: Latch.Latch | undefined
  /** Maximum number of endpoints that this process serves at the same time, at least 2. Default: 64. */
  readonly maxEndpoints?: number | undefined
  /** Maximum pause between two polls, in milliseconds. Default: 500. */
  readonly pollMs?: number | undefined
}

/** Minimum pause between two polls, in milliseconds. */
const minPauseMs = 50

/** Maximum pause between two polls while there is something to deliver, in milliseconds. */
const busyPauseMs = 200

/** Maximum number of concurrent calls to the database, so that requests and jobs keep the other connections. */
const maxCalls = 3

/** Time between two deletions of old deliveries. */
const pruneInterval = "1 minute"

/** Maximum number of deliveries that one statement deletes. */
const pruneBatch = 1_000

/** Deadline of a poll and of a deletion. */
const deadline = "10 seconds"

type Ports = AuditLog | EventLog | IdGenerator | UnitOfWork | WebhookQueue | WebhookSender

type Limit = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const limitCalls = (queue: WebhookQueue["Service"], limit: Limit): WebhookQueue["Service"] => ({
  ...queue,
  claim: (free) => limit(queue.claim(free)),
  advance: (...args) => limit(queue.advance(...args)),
  settle: (...args) => limit(queue.settle(...args)),
  release: (...args) => limit(queue.release(...args)),
  prune: (count) => limit(queue.prune(count))
})

/**
 * Lets endpoints that read the same part of the feed share one read. Separate reads of a tree would wait for each
 * other, because each read numbers the new events.
 */
const shareReads = (log: EventLog["Service"], limit: Limit): EventLog["Service"] => {
  type Failure = Effect.Error<ReturnType<typeof log.read>>
  const reading = new Map<string, Deferred.Deferred<EventSlice, Failure>>()
  return {
    ...log,
    read: (...args) =>
      Effect.suspend(() => {
        const key = JSON.stringify(args)
        const running = reading.get(key)
        if (running !== undefined) return Deferred.await(running)
        const result = Deferred.makeUnsafe<EventSlice, Failure>()
        reading.set(key, result)
        return Effect.onExit(limit(log.read(...args)), (exit) => {
          reading.delete(key)
          return Deferred.done(result, exit)
        })
      })
  }
}

/**
 * Delivers webhooks until the layer is closed. All nodes on a database share the webhooks. Each endpoint has a fiber of
 * its own. Endpoints that lag have a quarter of the slots (WEBHOOK-05), so that they never delay the others. A node
 * that must not serve requests delivers nothing. The worker polls for new events, because a NOTIFY in each transaction
 * would allow only one commit at a time.
 */
export const layerWebhookWorker = (
  { maxEndpoints = 64, pollMs = 500, wakeUp = Latch.makeUnsafe(true) }: WebhookWorkerOptions = {}
): Layer.Layer<never, never, Ports> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const calls = yield* Semaphore.make(maxCalls)
    const { isOpen } = yield* UnitOfWork
    // A transaction does not wait, because the other calls may wait for its connection or its locks.
    const limit: Limit = (effect) => Effect.flatMap(isOpen, (open) => open ? effect : calls.withPermit(effect))
    const queue = limitCalls(yield* WebhookQueue, limit)
    const ports = (yield* Effect.context<Ports>()).pipe(
      Context.add(WebhookQueue, queue),
      Context.add(EventLog, shareReads(yield* EventLog, limit))
    )
    const condition = yield* NodeCondition
    const scope = yield* Effect.scope
    const running = new Map<Fiber.Fiber<void>, WebhookLease>()
    const slots = deliverySlots(maxEndpoints)
    yield* startWebhookMetrics

    const freeSlots = () => {
      const lagging = Array.from(running.values()).filter(({ is_lagging }) => is_lagging).length
      return { healthy: slots.healthy - (running.size - lagging), lagging: slots.lagging - lagging }
    }

    /**
     * Releases a lease when this process stops. The window is not marked as full, so that another node can continue at
     * once. A lease of a crashed process expires.
     */
    const giveBack = (lease: WebhookLease) =>
      endWithin(queue.release(lease, Number.MAX_SAFE_INTEGER), "2 seconds", Effect.void).pipe(Effect.ignoreCause)

    const run = (lease: WebhookLease) =>
      deliverWebhook(lease).pipe(
        Effect.provideContext(ports),
        Effect.onInterrupt(() => giveBack(lease)),
        Effect.catchCause((cause) =>
          Effect.annotateLogs(
            Effect.logWarning("delivering to a webhook failed; retrying when the lease expires", cause),
            { webhook_id: lease.webhook_id }
          )
        )
      )

    const start = Effect.fnUntraced(function*(lease: WebhookLease) {
      const fiber = yield* Effect.forkIn(run(lease), scope)
      running.set(fiber, lease)
      fiber.addObserver(() => {
        const { healthy, lagging } = freeSlots()
        running.delete(fiber)
        // Until now, no slot was free for some endpoints. They can have one at once.
        if (healthy <= 0 || lagging <= 0) wakeUp.openUnsafe()
      })
    })

    const poll = Effect.suspend(() => {
      if (condition !== null && !condition.mayServe()) return Effect.succeed(pollMs)
      return Effect.flatMap(
        endWithin(queue.claim(freeSlots()), deadline, Effect.die(new Error("the poll took too long"))),
        (leases) =>
          Effect.as(
            Effect.forEach(leases, start, { discard: true }),
            leases.length > 0 ? Math.min(busyPauseMs, pollMs) : pollMs
          )
      )
    })

    const polling = wakeUp.close.pipe(
      Effect.andThen(poll),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("polling for webhooks failed; retrying", cause), pollMs)
      ),
      Effect.tap(Effect.sleep(minPauseMs)),
      Effect.flatMap((pauseMs) => Effect.raceFirst(wakeUp.await, Effect.sleep(pauseMs)))
    )

    const pruning = Effect.sleep(pruneInterval).pipe(
      Effect.andThen(
        Effect.repeat(endWithin(queue.prune(pruneBatch), deadline, Effect.succeed(0)), {
          while: (pruned) => pruned === pruneBatch
        })
      ),
      Effect.catchCause((cause) => Effect.logWarning("deleting old deliveries failed; retrying", cause))
    )

    yield* Effect.forkScoped(Effect.forever(polling))
    yield* Effect.forkScoped(Effect.forever(pruning))
  }))
