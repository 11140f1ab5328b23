import { Effect, Option } from "effect"
import { recordChange } from "../event/recordChange.ts"
import { asOperator, judgeFound, NotFound } from "../hierarchy/Scope.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type WebhookId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { patchWebhook } from "../webhook/endpoint.ts"
import { WebhookRepository } from "../webhook/WebhookRepository.ts"

/**
 * Resumes a webhook that is not active. Its undelivered events are kept, and their attempts start again from 1
 * (WEBHOOK-08). Does nothing if it is active. For the operator only.
 */
export const resumeWebhook = Effect.fn("resumeWebhook")(function*(id: WebhookId) {
  const webhooks = yield* WebhookRepository
  const resume = Effect.gen(function*() {
    const owner = yield* webhooks.findOwner(id)
    if (Option.isNone(owner)) return yield* new NotFound()
    const stored = yield* Effect.fromResult(
      judgeFound(yield* webhooks.findForUpdate(asOperator.scope(owner.value), id))
    )
    const at = yield* currentTimestamp
    const { changed, next } = yield* Effect.fromResult(patchWebhook(stored.record, { status: "ACTIVE" }, at))
    if (!changed) return next
    yield* webhooks.update(stored, next)
    yield* webhooks.restart(stored)
    yield* recordChange({
      events: [],
      at,
      caller: null,
      action: "webhook.update",
      subject_id: id,
      partner_id: next.partner_id,
      before: stored.record,
      after: next
    })
    return next
  })
  return yield* (yield* UnitOfWork).atomically(resume)
})
