import { Context, type Effect } from "effect"
import { type DomainEvent } from "../event/DomainEvent.ts"
import { type PartnerId, type WebhookId } from "../values/ids.ts"
import { type DeliverySlots, type WebhookStop } from "./attempts.ts"
import { type DeliveryStatus } from "./DeliveryRecord.ts"
import { type WebhookSecrets } from "./endpoint.ts"
import { type Webhook } from "./Webhook.ts"

/**
 * Duration of the lease with which a node delivers to an endpoint, in milliseconds. Each step renews the lease, and an
 * attempt takes at most 12 seconds. If the node crashes, another node continues when the lease has expired.
 */
export const webhookLeaseMs = 20_000

/** A webhook to which a node delivers. */
export interface WebhookLease {
  readonly webhook_id: WebhookId
  readonly partner_id: PartnerId
  readonly root_id: PartnerId
  readonly types: ReadonlyArray<string>
  /** The events after this sequence are still in the feed, not stored as deliveries. */
  readonly cursor: number
  /** The number of deliveries that wait for an attempt. */
  readonly open: number
  /** The number of consecutive failed attempts. */
  readonly failures: number
  /** True if the endpoint lags (WEBHOOK-05). */
  readonly is_lagging: boolean
  readonly is_active: boolean
  /** The number of this lease. Only the holder of the latest lease can change the deliveries. */
  readonly fence: number
}

/** A delivery that is due. */
export interface DueDelivery {
  readonly event_id: string
  readonly body: string
  readonly attempts: number
  readonly is_test: boolean
  /** The `traceparent` of the change that caused the event. Null if it has none, or if the event was deleted. */
  readonly traceparent: string | null
}

/** Events of the feed to store as deliveries. */
export interface FeedPart {
  /** The cursor after which these events were read. */
  readonly after: number
  /** The events that match the types of the webhook. */
  readonly events: ReadonlyArray<DomainEvent>
  /** The new cursor. */
  readonly next: number
}

/** The state of a webhook after a step of its delivery. */
export interface DeliveryStep extends Pick<WebhookLease, "cursor" | "is_active" | "open" | "types"> {
  readonly url: string
  readonly secrets: WebhookSecrets
  /** The due deliveries. The one that has been due longest comes first. */
  readonly due: ReadonlyArray<DueDelivery>
}

/** The outcome of an attempt. */
export interface DeliveryOutcome {
  readonly event_id: string
  readonly status: DeliveryStatus
  /** The HTTP status of the answer, or null. */
  readonly last_status: number | null
  /** The reason why there was no answer, or null. */
  readonly last_fault: string | null
  readonly duration_ms: number
  /** The time until the next attempt. Null if there is none. */
  readonly after_ms: number | null
}

/** The outcomes of a batch of attempts, and the resulting state of the endpoint. */
export interface SettledBatch {
  readonly outcomes: ReadonlyArray<DeliveryOutcome>
  readonly failures: number
  readonly is_lagging: boolean
  /** The time for which no delivery to the endpoint is due, or null. */
  readonly hold_ms: number | null
  /** True if an attempt succeeded. Tests do not count. */
  readonly succeeded: boolean
  /** The last failure, or null. Tests do not count. */
  readonly failure: string | null
  /** The new status of the webhook, or null if it stays active. */
  readonly stop: WebhookStop
}

/** The webhooks and deliveries of all partners, for the metrics. */
export interface WebhookCounts {
  readonly active: number
  readonly paused: number
  readonly disabled: number
  readonly pending: number
  /**
   * The time for which the longest overdue delivery has been due, or 0. Ignores deliveries that wait for a paused
   * webhook, the end of a hold, or an inactive partner.
   */
  readonly oldest_due_seconds: number
}

/**
 * The deliveries that are due. Several nodes share them. All times are those of one clock: in a database, that of the
 * database. Methods that take a lease change nothing if another node has claimed the webhook since.
 */
export class WebhookQueue extends Context.Service<WebhookQueue, {
  /**
   * Leases webhooks that have something to deliver: at most `free.lagging` that lag, and `free.healthy` others. Trees
   * take turns. Two nodes never hold the same webhook.
   *
   * An active webhook has something to deliver if a delivery is due, or if its window is not full and its tree has
   * events after its cursor. While its endpoint is held, it has nothing. Every webhook has something to deliver if a
   * test is due. The webhooks of a partner that is deleted or inactive, or is below an inactive one, have nothing to
   * deliver.
   */
  readonly claim: (free: DeliverySlots) => Effect.Effect<ReadonlyArray<WebhookLease>>
  /**
   * Renews a lease. Returns null if the lease was lost.
   *
   * Then stores the events of `part` as deliveries that are due at once, and moves the cursor, in one transaction. An
   * event that is PENDING already is unchanged. An event with another status starts again. Stores nothing if the webhook
   * is not active or its cursor is not `part.after`.
   *
   * Last, returns at most `limit` deliveries that are due: only tests if the webhook is not active or its endpoint is
   * held.
   */
  readonly advance: (
    lease: WebhookLease,
    part: FeedPart | null,
    limit: number
  ) => Effect.Effect<DeliveryStep | null>
  /**
   * Stores the outcomes of attempts and the state of the endpoint, and renews the lease. If the batch stops an active
   * webhook, changes its status, and returns the webhook before and after the change. Otherwise returns null.
   */
  readonly settle: (
    lease: WebhookLease,
    batch: SettledBatch
  ) => Effect.Effect<{ readonly before: Webhook; readonly after: Webhook } | null>
  /**
   * Ends a lease. If at least `window` deliveries wait for an attempt, the window is full until the next release, and
   * the events after the cursor wait in the feed.
   */
  readonly release: (lease: WebhookLease, window: number) => Effect.Effect<void>
  /** Deletes deliveries that ended more than 7 days ago, at most `limit`. Returns the number. */
  readonly prune: (limit: number) => Effect.Effect<number>
  readonly counts: Effect.Effect<WebhookCounts>
}>()("@lastro/domain/webhook/WebhookQueue") {}
