import { Effect, Option, type Schema } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { RequestId } from "../audit/AuditLog.ts"
import { actorOf, recordChange } from "../event/recordChange.ts"
import { type InScope, judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { type ReplayRules, runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { decodeBody } from "../input/decode.ts"
import { IdGenerator } from "../ports/generators.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type WebhookId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { withSecret } from "./CreateWebhook.ts"
import { overlapEnd, replayCursor } from "./endpoint.ts"
import { EmptyRequest, ReplayWebhookRequest, type Webhook } from "./Webhook.ts"
import { WebhookRepository } from "./WebhookRepository.ts"
import { WebhookSender } from "./WebhookSender.ts"

type Writing = Allowed<"webhooks:write">

const decodeEmpty = decodeBody(EmptyRequest)

const decodeReplay = decodeBody(ReplayWebhookRequest)

/**
 * Changes a webhook in the caller's subtree in one transaction, at most once for each idempotency key. `change` records
 * the change in the audit, and returns the answer.
 */
const changeWebhook = Effect.fnUntraced(function*<A extends Schema.Json, E, R>(
  allowed: Writing,
  id: WebhookId,
  key: SentKey | undefined,
  change: (webhook: InScope<Webhook>, at: Timestamp) => Effect.Effect<A, E, R>
) {
  const webhooks = yield* WebhookRepository
  const scope = scopeOf(allowed)
  const transaction = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(allowed.caller.root_id, "shared")
    // This read takes no row lock, so that a request whose idempotency key is in use is refused without a wait.
    const found = yield* webhooks.find(scope, id)
    const { record } = yield* Effect.fromResult(judgeFound(found))
    const lockAndChange = Effect.fnUntraced(function*() {
      const webhook = yield* Effect.fromResult(judgeFound(yield* webhooks.findForUpdate(scope, id)))
      return yield* change(webhook, yield* currentTimestamp)
    })
    const replayRules: ReplayRules<A, never> = {
      present: () => Effect.succeed(found),
      owner: () => record.partner_id,
      record: () => id
    }
    return yield* runOnce(allowed, key, replayRules, Effect.void)(lockAndChange)
  })
  return yield* (yield* UnitOfWork).atomically(transaction)
})

/** Records an action on a webhook in the audit. `after` are the values that the action changed. */
const recordAction = (
  { caller }: Writing,
  { webhook_id: subject_id, partner_id }: Webhook,
  at: Timestamp,
  action: string,
  after: Schema.Json = null
) => recordChange({ events: [], at, caller, action, subject_id, partner_id, after })

/** Returns a stored delivery. Dies if it does not exist. */
const storedDelivery = (webhook: InScope<Webhook>, event_id: string) =>
  Effect.flatMap(
    WebhookRepository,
    (webhooks) => Effect.map(webhooks.findDelivery(webhook, event_id), Option.getOrThrow)
  )

/**
 * Replaces the secret of a webhook, and returns the new one once. The previous secret also signs for 24 hours. The body
 * is untrusted, and must be absent or empty.
 */
export const rotateWebhookSecret = Effect.fnUntraced(function*(
  allowed: Writing,
  id: WebhookId,
  body: unknown,
  key?: SentKey
) {
  const { sealed, shown } = yield* (yield* WebhookSender).newSecret
  const rotate = Effect.fnUntraced(function*(webhook: InScope<Webhook>, at: Timestamp) {
    yield* Effect.fromResult(decodeEmpty(body ?? {}))
    const webhooks = yield* WebhookRepository
    const next: Webhook = { ...webhook.record, updated_at: at, version: webhook.record.version + 1 }
    yield* webhooks.update(webhook, next)
    yield* webhooks.setSecret(webhook, sealed, overlapEnd(at))
    yield* recordAction(allowed, next, at, "webhook.rotate_secret")
    return next
  })
  return withSecret(yield* changeWebhook(allowed, id, key, rotate), shown)
})

/**
 * A test event is sent to a webhook once, whatever its status. The event has the type `webhook.test` and is not in the
 * feed. Returns its delivery. The body is untrusted, and must be absent or empty.
 * @rule WEBHOOK-11
 */
export const testWebhook = Effect.fnUntraced(function*(
  allowed: Writing,
  id: WebhookId,
  body: unknown,
  key?: SentKey
) {
  const test = Effect.fnUntraced(function*(webhook: InScope<Webhook>, at: Timestamp) {
    yield* Effect.fromResult(decodeEmpty(body ?? {}))
    const { partner_id, version } = webhook.record
    const event_id = yield* (yield* IdGenerator).next
    const event = {
      event_id,
      sequence: 0,
      type: "webhook.test",
      occurred_at: at,
      partner_id,
      subject: { kind: "webhook", id, version },
      data: { webhook_id: id },
      request_id: yield* RequestId,
      actor: actorOf(allowed.caller)
    }
    const delivery = { event_id, sequence: null, type: event.type, body: JSON.stringify(event) }
    yield* (yield* WebhookRepository).addTest(webhook, delivery)
    yield* recordAction(allowed, webhook.record, at, "webhook.test", { event_id })
    return yield* storedDelivery(webhook, event_id)
  })
  return yield* changeWebhook(allowed, id, key, test)
})

/**
 * A caller can send an event to a webhook again, whatever the status of its delivery. If the webhook is not active, the
 * delivery waits. Returns the delivery. The body is untrusted, and must be absent or empty.
 * @rule WEBHOOK-12
 */
export const redeliverEvent = Effect.fnUntraced(function*(
  allowed: Writing,
  id: WebhookId,
  event_id: string,
  body: unknown,
  key?: SentKey
) {
  const redeliver = Effect.fnUntraced(function*(webhook: InScope<Webhook>, at: Timestamp) {
    const webhooks = yield* WebhookRepository
    if (Option.isNone(yield* webhooks.findDelivery(webhook, event_id))) return yield* new NotFound()
    yield* Effect.fromResult(decodeEmpty(body ?? {}))
    yield* webhooks.redeliver(webhook, event_id)
    yield* recordAction(allowed, webhook.record, at, "webhook.redeliver", { event_id })
    return yield* storedDelivery(webhook, event_id)
  })
  return yield* changeWebhook(allowed, id, key, redeliver)
})

/**
 * Delivers the events from a sequence on to a webhook again, inclusive (WEBHOOK-10). Returns the webhook. The body is
 * untrusted.
 */
export const replayWebhook = Effect.fnUntraced(function*(
  allowed: Writing,
  id: WebhookId,
  body: unknown,
  key?: SentKey
) {
  const replay = Effect.fnUntraced(function*(webhook: InScope<Webhook>, at: Timestamp) {
    const { from_sequence } = yield* Effect.fromResult(decodeReplay(body))
    yield* (yield* WebhookRepository).moveCursor(webhook, (cursor) => replayCursor(cursor, from_sequence))
    yield* recordAction(allowed, webhook.record, at, "webhook.replay", { from_sequence })
    return webhook.record
  })
  return yield* changeWebhook(allowed, id, key, replay)
})
