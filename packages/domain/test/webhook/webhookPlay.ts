import { type PartnerDetail } from "@lastro/domain/partner"
import { RecordingWebhookSender } from "@lastro/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type EventType } from "../../src/event/DomainEvent.ts"
import { recordChange } from "../../src/event/recordChange.ts"
import { IdGenerator } from "../../src/ports/generators.ts"
import { UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import * as create from "../../src/webhook/CreateWebhook.ts"
import { deliverDueWebhooks } from "../../src/webhook/deliverWebhook.ts"
import { callerOf, permit, runWithoutWorkers, storeTwoTrees } from "../fixtures.ts"

/** The address of the endpoint of {@link openPlay}. */
export const url = "https://example.com/lastro"

/** Stores two trees and a webhook of the root of the first tree. */
export const openPlay = Effect.fnUntraced(function*(body: object = {}) {
  const trees = yield* storeTwoTrees
  const allowed = yield* permit(yield* callerOf(trees.rootAdmin), "webhooks:write")
  const { answer } = yield* create.createWebhook(allowed, { url, ...body })
  const sender = yield* RecordingWebhookSender
  return { ...trees, allowed, webhook: answer, id: answer.webhook_id, sender }
})

/** Appends events of a partner, and returns their ids. */
export const happen = Effect.fnUntraced(function*(
  { partner_id }: PartnerDetail,
  count = 1,
  type: EventType = "partner.updated"
) {
  const events = Array.from({ length: count }, () => ({
    type,
    subject: { kind: "partner", id: partner_id, version: null } as const,
    data: { partner_id }
  }))
  const at = yield* currentTimestamp
  yield* IdGenerator
  const action = "partner.update"
  yield* (yield* UnitOfWork).atomically(
    recordChange({ events, at, caller: null, action, subject_id: partner_id, partner_id })
  )
})

/** Advances the clock, and delivers what is due. */
export const advance = (by: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(by), deliverDueWebhooks)

export { deliverDueWebhooks as deliver, runWithoutWorkers as play }
