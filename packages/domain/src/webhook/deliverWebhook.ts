import { Effect, Metric } from "effect"
import { EventLog } from "../event/EventLog.ts"
import { recordChange } from "../event/recordChange.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { endWithin } from "../values/endWithin.ts"
import { monotonicMillis } from "../values/monotonicMillis.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { continueTrace } from "../values/traceparent.ts"
import {
  deliverySlots,
  failureOf,
  holdMs,
  isLagging,
  judgeAttempt,
  maxInFlight,
  maxWaitingDeliveries,
  stopOf,
  type Verdict
} from "./attempts.ts"
import { signingSecrets } from "./endpoint.ts"
import { typesNamed } from "./Webhook.ts"
import {
  type DeliveryStep,
  type DueDelivery,
  type FeedPart,
  type SettledBatch,
  type WebhookLease,
  WebhookQueue
} from "./WebhookQueue.ts"
import { type WebhookAnswer, WebhookSender } from "./WebhookSender.ts"

/** Maximum number of events in one read of the feed. */
const maxRead = 100

/**
 * A run ends after this time, in milliseconds, so that other endpoints get its slot. The webhook is claimed again in
 * its turn.
 */
const runMs = 5_000

/** The deadline of an attempt, in case the sender does not end. It is shorter than a lease. */
const attemptDeadline = "12 seconds"

const deliveries = Metric.counter("lastro_webhook_deliveries_total", {
  description: "Attempts to deliver an event to a webhook, by outcome",
  incremental: true
})

const outcomes = ["delivered", "failed"] as const

const countOf = (outcome: typeof outcomes[number]) => Metric.withAttributes(deliveries, { outcome })

/** Creates the metrics of a worker with the value 0. A worker runs it when it starts. */
export const startWebhookMetrics: Effect.Effect<void> = Effect.forEach(
  outcomes,
  (outcome) => Metric.value(countOf(outcome)),
  { discard: true }
)

type Health = Pick<WebhookLease, "failures" | "is_lagging">

interface Attempt {
  readonly delivery: DueDelivery
  readonly answer: WebhookAnswer
  readonly verdict: Verdict
}

const unanswered = (reason: "CONNECTION" | "TIMEOUT"): WebhookAnswer => ({ kind: "FAILED", reason, duration_ms: 0 })

/**
 * Sends a delivery. The first attempt continues the trace of the event. Each later attempt has a trace of its own, with
 * a link.
 */
const send = Effect.fnUntraced(function*({ secrets, url }: DeliveryStep, delivery: DueDelivery) {
  const at = yield* currentTimestamp
  const sending = (yield* WebhookSender).send({
    event_id: delivery.event_id,
    url,
    secrets: signingSecrets(secrets, at),
    body: delivery.body,
    at
  })
  const { attempts, event_id: id, traceparent } = delivery
  const traced = continueTrace({ kind: "webhook", id, traceparent, isLate: attempts > 0 }, sending)
  const answer = yield* endWithin(traced, attemptDeadline, Effect.succeed(unanswered("TIMEOUT"))).pipe(
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError("the sender of webhooks failed", defect), unanswered("CONNECTION"))
    )
  )
  return { delivery, answer, verdict: judgeAttempt(delivery, answer) }
})

const statusOfVerdict = {
  DELIVERED: "DELIVERED",
  RETRY: "PENDING",
  EXHAUSTED: "FAILED",
  GONE: "FAILED",
  FAILED: "FAILED"
} as const

/** Builds the batch to store. A test changes neither the status nor the health of the webhook. */
const batchOf = ({ failures, is_lagging }: Health, attempts: ReadonlyArray<Attempt>): SettledBatch => {
  const counted = attempts.filter(({ delivery }) => !delivery.is_test)
  const answers = counted.map(({ answer }) => answer)
  const failed = answers.map(failureOf).filter((failure) => failure !== null)
  const held = answers.map(holdMs).filter((hold_ms) => hold_ms !== null)
  const succeeded = failed.length < answers.length
  return {
    outcomes: attempts.map(({ answer, delivery, verdict }) => ({
      event_id: delivery.event_id,
      status: statusOfVerdict[verdict.kind],
      last_status: answer.kind === "ANSWERED" ? answer.status : null,
      last_fault: answer.kind === "FAILED" ? answer.reason : null,
      duration_ms: Math.round(answer.duration_ms),
      after_ms: verdict.kind === "RETRY" ? verdict.after_ms : null
    })),
    failures: succeeded ? 0 : failures + failed.length,
    is_lagging: answers.length === 0 ? is_lagging : isLagging(answers),
    hold_ms: held.length === 0 ? null : Math.max(...held),
    succeeded,
    failure: failed.at(-1) ?? null,
    stop: stopOf(counted.map(({ verdict }) => verdict))
  }
}

/**
 * Stores the outcomes of a batch. If the batch stops the webhook, it also records this change, in the same transaction.
 */
const settle = Effect.fnUntraced(function*(lease: WebhookLease, batch: SettledBatch) {
  const queue = yield* WebhookQueue
  if (batch.stop === null) return yield* queue.settle(lease, batch)
  return yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
    const stopped = yield* queue.settle(lease, batch)
    if (stopped === null) return null
    yield* recordChange({
      // There are no events about webhooks.
      events: [],
      at: yield* currentTimestamp,
      caller: { subject: "lastro", kind: "system" },
      action: stopped.after.status === "PAUSED" ? "webhook.pause" : "webhook.disable",
      subject_id: lease.webhook_id,
      partner_id: lease.partner_id,
      before: stopped.before,
      after: stopped.after
    })
    return stopped
  }))
})

const countAttempts = (attempts: ReadonlyArray<Attempt>) => {
  const delivered = attempts.filter(({ verdict }) => verdict.kind === "DELIVERED").length
  return Effect.andThen(
    Metric.update(countOf("delivered"), delivered),
    Metric.update(countOf("failed"), attempts.length - delivered)
  )
}

/**
 * Reads the next events of the feed, if fewer deliveries are waiting than allowed (WEBHOOK-04). If events were deleted
 * before they were delivered, continues from the oldest kept event.
 */
const readPart = Effect.fnUntraced(function*(
  { partner_id, root_id, webhook_id }: WebhookLease,
  { cursor, is_active, open, types }: Pick<WebhookLease, "cursor" | "is_active" | "open" | "types">,
  window: number
) {
  if (!is_active || open >= window) return null
  const named = typesNamed(types)
  const log = yield* EventLog
  const readAfter = (after: number) =>
    log.read(partner_id, root_id, {
      after,
      limit: Math.min(maxRead, window - open),
      ...(named === undefined ? {} : { types: named })
    })
  const { events, next } = yield* Effect.catchTag(readAfter(cursor), "EventsExpired", ({ oldest }) =>
    Effect.andThen(
      Effect.annotateLogs(Effect.logWarning("events were deleted before a webhook delivered them"), { webhook_id }),
      Effect.orDie(readAfter(oldest))
    ))
  const part: FeedPart = { after: cursor, events, next }
  return next > cursor ? part : null
})

/** Sends the due deliveries of a step at the same time, and stores the outcomes. */
const sendDue = Effect.fnUntraced(function*(lease: WebhookLease, health: Health, step: DeliveryStep) {
  const attempts = yield* Effect.forEach(step.due, (delivery) => send(step, delivery), { concurrency: maxInFlight })
  const batch = batchOf(health, attempts)
  const stopped = yield* settle(lease, batch)
  yield* countAttempts(attempts)
  if (stopped !== null) {
    yield* Effect.annotateLogs(
      Effect.logWarning("a webhook stopped; its events wait until it is resumed"),
      { webhook_id: lease.webhook_id, status: stopped.after.status, reason: stopped.after.stop_reason }
    )
  }
  return batch
})

/**
 * Delivers the events of a leased webhook until nothing is due. Each step stores the next events of the feed as
 * deliveries, sends at most 10 due deliveries at the same time, and stores the outcomes. A step is safe to repeat:
 * after a crash, an event can be sent again with the same id, and none is lost. Ends after about 5 seconds, or if all
 * attempts of a batch fail.
 */
export const deliverWebhook = Effect.fnUntraced(function*(lease: WebhookLease) {
  const queue = yield* WebhookQueue
  const end = (yield* monotonicMillis) + runMs
  let health: Health = lease
  let state: Pick<WebhookLease, "cursor" | "is_active" | "open" | "types"> = lease
  let due = 0
  do {
    // After a full batch, more deliveries can be due. They are sent before the feed is read again.
    const part = due < maxInFlight ? yield* readPart(lease, state, maxWaitingDeliveries(health.failures)) : null
    const step = yield* queue.advance(lease, part, maxInFlight)
    if (step === null) return
    state = step
    due = step.due.length
    if (due === 0) {
      if (part === null) break
      continue
    }
    const batch = yield* sendDue(lease, health, step)
    health = batch
    if (batch.hold_ms !== null || batch.stop !== null || !batch.succeeded) break
    // Nothing else was due, and the feed has ended. The next claim finds later events.
    if (due < maxInFlight && (part === null || part.events.length < maxRead)) break
  } while ((yield* monotonicMillis) < end)
  yield* queue.release(lease, maxWaitingDeliveries(health.failures))
})

/** Delivers everything that is due now, and then ends. For tests and programs without a worker. */
export const deliverDueWebhooks = Effect.gen(function*() {
  const queue = yield* WebhookQueue
  for (;;) {
    const leases = yield* queue.claim(deliverySlots(64))
    if (leases.length === 0) return
    yield* Effect.forEach(leases, deliverWebhook, { concurrency: "unbounded", discard: true })
  }
})
