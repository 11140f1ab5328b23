import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { EventLog } from "../event/EventLog.ts"
import { recordChange } from "../event/recordChange.ts"
import { type InScope, scopeOf } from "../hierarchy/Scope.ts"
import { type Once, runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decodeBody } from "../input/decode.ts"
import { valueAt } from "../input/valueAt.ts"
import { IdGenerator } from "../ports/generators.ts"
import { findOwner, type FoundOwner } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WaitInTransaction } from "../ports/WaitInTransaction.ts"
import { type PartnerId, type WebhookId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { judgeCount, judgeUrl } from "./endpoint.ts"
import { CreateWebhookRequest, type Webhook, type WebhookWithSecret } from "./Webhook.ts"
import { WebhookRepository } from "./WebhookRepository.ts"
import { WebhookSender } from "./WebhookSender.ts"

const decodeRequest = decodeBody(CreateWebhookRequest)

/**
 * Adds the secret to the first answer only. The stored answer has no secret, so a replay returns none. A caller that
 * lost the first response must rotate the secret.
 */
export const withSecret = (once: Once<Webhook>, shown: string): Once<WebhookWithSecret> =>
  once.replayed ? once : { ...once, answer: { ...once.answer, secret: shown } }

/**
 * Creates a webhook. Its partner must be in the caller's subtree. Default partner: the caller's own. The webhook delivers
 * the events of this partner and of the partners below it, from now on. Returns the secret once. The body is untrusted.
 *
 * Dies with {@link WaitInTransaction} in a transaction of a host, like the feed (EVENT-05).
 */
export const createWebhook = Effect.fnUntraced(function*(
  allowed: Allowed<"webhooks:write">,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  if (yield* (yield* UnitOfWork).isOpen) return yield* Effect.die(new WaitInTransaction())
  const sender = yield* WebhookSender
  const { sealed, shown } = yield* sender.newSecret
  const cursor = yield* (yield* EventLog).last(caller.root_id)
  const create = Effect.fnUntraced(function*(found: FoundOwner) {
    const { owner, request } = yield* Effect.fromResult(combineChecks({
      request: decodeRequest(body),
      url: judgeUrl(valueAt(body, ["url"]), sender.refusalOf),
      owner: found
    }))
    const webhooks = yield* WebhookRepository
    yield* Effect.fromResult(judgeCount(yield* webhooks.count(owner)))
    const webhook = yield* newWebhook(request, owner)
    yield* webhooks.insert(owner, webhook, { root_id: caller.root_id, secret: sealed, cursor })
    yield* recordChange({
      events: [],
      at: webhook.created_at,
      caller,
      action: "webhook.create",
      subject_id: webhook.webhook_id,
      partner_id: webhook.partner_id,
      after: webhook
    })
    return webhook
  })
  const { find } = yield* WebhookRepository
  const once = runOnce(allowed, key, {
    present: ({ webhook_id }: Partial<Webhook>) =>
      webhook_id === undefined ? Effect.succeedNone : find(scopeOf(allowed), webhook_id),
    owner: ({ partner_id }: Webhook) => partner_id,
    record: ({ webhook_id }) => webhook_id
  }, findOwner(allowed, body))
  return withSecret(yield* (yield* UnitOfWork).atomically(once(create)), shown)
})

const newWebhook = Effect.fnUntraced(function*(
  { description = null, types = [], url }: CreateWebhookRequest,
  owner: InScope<PartnerId>
) {
  const at = yield* currentTimestamp
  const webhook: Webhook = {
    webhook_id: (yield* (yield* IdGenerator).next) as WebhookId,
    partner_id: owner.record,
    url,
    types,
    description,
    status: "ACTIVE",
    stop_reason: null,
    created_at: at,
    updated_at: at,
    version: 1,
    health: { last_success_at: null, last_failure_at: null, last_failure: null }
  }
  return webhook
})
