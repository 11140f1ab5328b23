import { type DeliveryRecord } from "./DeliveryRecord.ts"
import { type Webhook } from "./Webhook.ts"
import { type WebhookAnswer } from "./WebhookSender.ts"

/** Maximum number of simultaneous deliveries to one endpoint. */
export const maxInFlight = 10

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The delays before the first retries, in milliseconds. */
const firstDelays = [5 * second, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour]

const longestDelay = 12 * hour

/** Maximum number of attempts of a delivery: the first one, the first retries, and one every 12 hours for 7 days. */
export const maxAttempts = 1 + firstDelays.length + 14

/**
 * A failed delivery is retried after 5 seconds, 1 minute, 5 minutes, 30 minutes, 2 hours and 6 hours, then every 12
 * hours for 7 days. `failed` is the number of failed attempts.
 * @rule WEBHOOK-01
 */
export const deliveryRetryDelayMs = (failed: number): number => firstDelays[failed - 1] ?? longestDelay

/**
 * The `Retry-After` of a failed attempt holds all deliveries to the endpoint, for at most 12 hours. Returns this time
 * in milliseconds, or null without such a header.
 * @rule WEBHOOK-02
 */
export const holdMs = (answer: WebhookAnswer): number | null =>
  answer.kind === "FAILED" || isSuccess(answer) || answer.retry_after_ms === null
    ? null
    : Math.min(Math.max(answer.retry_after_ms, 0), longestDelay)

const isSuccess = (answer: WebhookAnswer): boolean =>
  answer.kind === "ANSWERED" && answer.status >= 200 && answer.status < 300

/**
 * The verdict on an attempt.
 *
 * - DELIVERED: it succeeded.
 * - RETRY: it failed, and another one is due after a delay.
 * - EXHAUSTED: the last attempt failed. The webhook is paused.
 * - GONE: the endpoint answered 410. The webhook is disabled.
 * - FAILED: a test failed.
 */
export type Verdict =
  | { readonly kind: "DELIVERED" | "EXHAUSTED" | "GONE" | "FAILED" }
  | { readonly kind: "RETRY"; readonly after_ms: number }

/** A delivery before an attempt. */
export interface Attempted {
  /** The number of attempts before this one. */
  readonly attempts: number
  readonly is_test: boolean
}

/**
 * A 2xx answer is a success, and every other answer is a failure, redirects included. A 410 answer disables the
 * webhook. When the last attempt of a delivery has failed, the webhook is paused. A test is sent once, and neither
 * pauses nor disables the webhook.
 * @rule WEBHOOK-03
 */
export const judgeAttempt = ({ attempts, is_test }: Attempted, answer: WebhookAnswer): Verdict => {
  if (isSuccess(answer)) return { kind: "DELIVERED" }
  if (is_test) return { kind: "FAILED" }
  if (answer.kind === "ANSWERED" && answer.status === 410) return { kind: "GONE" }
  const failed = attempts + 1
  return failed >= maxAttempts
    ? { kind: "EXHAUSTED" }
    : { kind: "RETRY", after_ms: Math.max(deliveryRetryDelayMs(failed), holdMs(answer) ?? 0) }
}

/** Number of consecutive failed attempts after which an endpoint counts as dead. */
const deadAfter = 20

/**
 * At most 10 000 deliveries of an endpoint wait for an attempt, and at most 100 if its last 20 attempts failed. Later
 * events wait in the feed. So no event is lost, and a dead endpoint needs little space.
 * @rule WEBHOOK-04
 */
export const maxWaitingDeliveries = (failures: number): number => failures >= deadAfter ? 100 : 10_000

/** An endpoint counts as slow if an attempt takes longer than this, in milliseconds. */
const slowAfter = 2 * second

/**
 * An endpoint lags if an attempt of its last batch failed or took more than 2 seconds. Endpoints that lag share a
 * quarter of the delivery slots of a node, so that they never delay the others.
 * @rule WEBHOOK-05
 */
export const isLagging = (answers: ReadonlyArray<WebhookAnswer>): boolean =>
  answers.some((answer) => !isSuccess(answer) || answer.duration_ms > slowAfter)

/** The delivery slots of a node. */
export interface DeliverySlots {
  readonly healthy: number
  readonly lagging: number
}

/**
 * Splits the slots of a node between the endpoints that lag and the others (WEBHOOK-05). Each group gets at least one
 * slot.
 */
export const deliverySlots = (endpoints: number): DeliverySlots => {
  const lagging = Math.max(1, Math.ceil(endpoints / 4))
  return { healthy: Math.max(1, endpoints - lagging), lagging }
}

/** Time for which an ended delivery is kept, in milliseconds: 7 days. */
export const endedKeptMs = 7 * 24 * hour

/**
 * A delivery is deleted 7 days after its last attempt if it succeeded or was a test. A failed delivery is kept until
 * its webhook is resumed. `kept_ms` is the time since the last attempt.
 * @rule WEBHOOK-13
 */
export const isExpired = (
  { sequence, status }: Pick<DeliveryRecord, "sequence" | "status">,
  kept_ms: number
): boolean => (status === "DELIVERED" || status === "FAILED" && sequence === null) && kept_ms > endedKeptMs

/** Describes a failed attempt: the HTTP status, or the reason why there was no answer. Null for a success. */
export const failureOf = (answer: WebhookAnswer): string | null => {
  if (answer.kind === "FAILED") return answer.reason
  return isSuccess(answer) ? null : `HTTP ${answer.status}`
}

/** The new status of a webhook that stops, with the reason. Null if the webhook stays active. */
export type WebhookStop = Pick<Webhook, "status" | "stop_reason"> | null

/** Returns how the verdicts of a batch of attempts stop the webhook, or null. A 410 answer takes precedence. */
export const stopOf = (verdicts: ReadonlyArray<Verdict>): WebhookStop => {
  const kinds = new Set(verdicts.map(({ kind }) => kind))
  if (kinds.has("GONE")) return { status: "DISABLED", stop_reason: "GONE" }
  return kinds.has("EXHAUSTED") ? { status: "PAUSED", stop_reason: "RETRIES_EXHAUSTED" } : null
}
