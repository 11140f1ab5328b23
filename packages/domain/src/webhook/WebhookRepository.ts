import { Context, type Effect, type Option } from "effect"
import { type FoundRecord, type InScope, type SubtreeScope } from "../hierarchy/Scope.ts"
import { type ListQuery } from "../input/ListQuery.ts"
import { type ListSlice } from "../input/Page.ts"
import { type ReadBudgetExceeded } from "../ports/CostlyReads.ts"
import { type PartnerId, type WebhookId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type DeliveryRecord, type DeliveryStatus } from "./DeliveryRecord.ts"
import { type Webhook, type WebhookStatus } from "./Webhook.ts"

/** The fields by which webhooks and deliveries can be sorted. */
export const webhookSortFields = ["created_at"] as const

/** A webhook must match all filters. An absent filter matches every webhook. */
export interface WebhookFilters {
  readonly partner_id?: PartnerId
  readonly status?: WebhookStatus
}

/** A parsed query for a list of webhooks. */
export type WebhookQuery = ListQuery<WebhookFilters, typeof webhookSortFields[number]>

/** A parsed query for the deliveries of a webhook. */
export type DeliveryQuery = ListQuery<
  { readonly status?: DeliveryStatus },
  typeof webhookSortFields[number]
>

/** A delivery that a caller requests. */
export interface RequestedDelivery {
  readonly event_id: string
  /** Null for a test, which is sent once. */
  readonly sequence: number | null
  readonly type: string
  /** The event as JSON. */
  readonly body: string
}

/** The start of a new webhook in the feed of its tree, and its encrypted secret. */
export interface WebhookStart {
  readonly root_id: PartnerId
  readonly secret: string
  /** The events after this sequence are delivered. */
  readonly cursor: number
}

/**
 * Stores webhooks and their deliveries. Writes join the surrounding transaction. After the commit of a write that makes
 * a delivery due, the workers are woken.
 */
export class WebhookRepository extends Context.Service<WebhookRepository, {
  /**
   * Finds a webhook by id in any tree. The result records whether its partner is in `scope`, and is readable only
   * through `judgeFound`.
   */
  readonly find: (scope: SubtreeScope, id: WebhookId) => Effect.Effect<Option.Option<FoundRecord<Webhook>>>
  /** Finds a webhook like `find`, and locks it until the transaction ends. */
  readonly findForUpdate: (scope: SubtreeScope, id: WebhookId) => Effect.Effect<Option.Option<FoundRecord<Webhook>>>
  /**
   * Returns a page of the webhooks that match all filters and whose partner is in scope, and the number of matches.
   * Fails with ReadBudgetExceeded if more than `budget` match. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly list: (
    scope: SubtreeScope,
    query: WebhookQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<Webhook>, ReadBudgetExceeded>
  /** Returns the webhooks of every partner, the newest first, at most `limit`. */
  readonly listAll: (limit: number) => Effect.Effect<ReadonlyArray<Webhook>>
  /** Returns the partner of a webhook in any tree. */
  readonly findOwner: (id: WebhookId) => Effect.Effect<Option.Option<PartnerId>>
  /** Counts the webhooks of a partner. Locks the partner until the transaction ends, so that the count stays valid. */
  readonly count: (owner: InScope<PartnerId>) => Effect.Effect<number>
  readonly insert: (owner: InScope<PartnerId>, webhook: Webhook, start: WebhookStart) => Effect.Effect<void>
  /** Saves all fields except `health`, which only the deliveries change, `partner_id` and `created_at`. */
  readonly update: (before: InScope<Webhook>, after: Webhook) => Effect.Effect<void>
  /**
   * Replaces the secret. The replaced secret also signs until `previous_valid_until`. Older secrets no longer sign.
   */
  readonly setSecret: (
    webhook: InScope<Webhook>,
    secret: string,
    previous_valid_until: Timestamp
  ) => Effect.Effect<void>
  /** Deletes the webhook and its deliveries. */
  readonly remove: (webhook: InScope<Webhook>) => Effect.Effect<void>
  /** Restarts every delivery that is neither DELIVERED nor a test: PENDING, due now, 0 attempts. Ends a hold. */
  readonly restart: (webhook: InScope<Webhook>) => Effect.Effect<void>
  /** Changes the sequence after which the events are delivered, and returns it. `change` gets the stored sequence. */
  readonly moveCursor: (webhook: InScope<Webhook>, change: (cursor: number) => number) => Effect.Effect<number>
  /**
   * Returns a page of the deliveries of a webhook, newest first or oldest first, and the number of matches. Fails with
   * ReadBudgetExceeded if more than `budget` match. Default: unlimited.
   * With `after`, returns the first records after this position, and the position of the last one.
   */
  readonly listDeliveries: (
    webhook: InScope<Webhook>,
    query: DeliveryQuery,
    budget?: number
  ) => Effect.Effect<ListSlice<DeliveryRecord>, ReadBudgetExceeded>
  /** Finds a delivery of a webhook. */
  readonly findDelivery: (webhook: InScope<Webhook>, event_id: string) => Effect.Effect<Option.Option<DeliveryRecord>>
  /** Stores a test of a webhook, which is due at once, whatever the status of the webhook. */
  readonly addTest: (webhook: InScope<Webhook>, test: RequestedDelivery) => Effect.Effect<void>
  /** Begins a delivery anew: it is PENDING, due at once, and without attempts. */
  readonly redeliver: (webhook: InScope<Webhook>, event_id: string) => Effect.Effect<void>
}>()("@lastro/domain/webhook/WebhookRepository") {}
