import { Effect, Struct } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { recordChange } from "../event/recordChange.ts"
import { type InScope, judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { valueAt } from "../input/valueAt.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type WebhookId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { judgeUrl, patchWebhook } from "./endpoint.ts"
import { type Webhook, type WebhookState } from "./Webhook.ts"
import { WebhookRepository } from "./WebhookRepository.ts"
import { WebhookSender } from "./WebhookSender.ts"

/**
 * Finds and locks a webhook in the caller's subtree, and checks the precondition on it. The precondition ignores
 * `health`.
 */
const lockWebhook = Effect.fnUntraced(function*(
  allowed: Allowed<"webhooks:write">,
  id: WebhookId,
  expected: Precondition<WebhookState>
) {
  yield* (yield* PartnerTree).lock(allowed.caller.root_id, "shared")
  const found = yield* (yield* WebhookRepository).findForUpdate(scopeOf(allowed), id)
  const webhook = yield* Effect.fromResult(judgeFound(found))
  yield* Effect.fromResult(judgePrecondition(Struct.omit(webhook.record, ["health"]), expected))
  return webhook
})

/**
 * Saves a changed webhook, in the transaction of the change. When it becomes active again, its attempts start again
 * from 1 (WEBHOOK-08). The caller is null for the operator.
 */
export const saveWebhook = Effect.fnUntraced(function*(stored: InScope<Webhook>, next: Webhook, caller: Caller | null) {
  const webhooks = yield* WebhookRepository
  yield* webhooks.update(stored, next)
  if (next.status === "ACTIVE" && stored.record.status !== "ACTIVE") yield* webhooks.restart(stored)
  yield* recordChange({
    events: [],
    at: next.updated_at,
    caller,
    action: "webhook.update",
    subject_id: next.webhook_id,
    partner_id: next.partner_id,
    before: stored.record,
    after: next
  })
})

/**
 * Patches a webhook in the caller's subtree. When it becomes active again, its undelivered events are delivered, and
 * their attempts start again from 1. The body is untrusted. `expected` is the precondition on the stored webhook
 * without `health`.
 */
export const updateWebhook = Effect.fnUntraced(function*(
  allowed: Allowed<"webhooks:write">,
  id: WebhookId,
  body: unknown,
  expected: Precondition<WebhookState> = anyState
) {
  const { refusalOf } = yield* WebhookSender
  const update = Effect.gen(function*() {
    const stored = yield* lockWebhook(allowed, id, expected)
    const at = yield* currentTimestamp
    const { patched: { changed, next } } = yield* Effect.fromResult(combineChecks({
      patched: patchWebhook(stored.record, body, at),
      url: judgeUrl(valueAt(body, ["url"]), refusalOf)
    }))
    if (!changed) return stored.record
    yield* saveWebhook(stored, next, allowed.caller)
    return next
  })
  return yield* (yield* UnitOfWork).atomically(update)
})

/** Deletes a webhook in the caller's subtree, with its deliveries. `expected` is as in {@link updateWebhook}. */
export const deleteWebhook = Effect.fnUntraced(function*(
  allowed: Allowed<"webhooks:write">,
  id: WebhookId,
  expected: Precondition<WebhookState> = anyState
) {
  const remove = Effect.gen(function*() {
    const webhook = yield* lockWebhook(allowed, id, expected)
    yield* (yield* WebhookRepository).remove(webhook)
    yield* recordChange({
      events: [],
      at: yield* currentTimestamp,
      caller: allowed.caller,
      action: "webhook.delete",
      subject_id: id,
      partner_id: webhook.record.partner_id,
      before: webhook.record
    })
  })
  yield* (yield* UnitOfWork).atomically(remove)
})
