import { Effect, Option } from "effect"
import { asOperator, judgeFound, NotFound } from "../hierarchy/Scope.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type WebhookId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { patchWebhook } from "../webhook/endpoint.ts"
import { saveWebhook } from "../webhook/UpdateWebhook.ts"
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
    const { changed, next } = yield* Effect.fromResult(
      patchWebhook(stored.record, { status: "ACTIVE" }, yield* currentTimestamp)
    )
    if (changed) yield* saveWebhook(stored, next, null)
    return next
  })
  return yield* (yield* UnitOfWork).atomically(resume)
})
