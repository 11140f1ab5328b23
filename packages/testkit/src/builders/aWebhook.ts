import { EventLog } from "@lastro/domain/event"
import { asOperator } from "@lastro/domain/hierarchy"
import { type PartnerDetail } from "@lastro/domain/partner"
import { type WebhookId } from "@lastro/domain/values"
import { type Webhook, WebhookRepository } from "@lastro/domain/webhook"
import { Effect } from "effect"
import { exampleInstant, freshId } from "./Fresh.ts"

/** Makes an active webhook of a partner. */
export const aWebhook = Effect.fnUntraced(function*({ partner_id }: PartnerDetail, fields: Partial<Webhook> = {}) {
  const webhook: Webhook = {
    webhook_id: (yield* freshId) as WebhookId,
    partner_id,
    url: "https://example.com/lastro",
    types: [],
    description: null,
    status: "ACTIVE",
    stop_reason: null,
    created_at: exampleInstant,
    updated_at: exampleInstant,
    version: 1,
    health: { last_success_at: null, last_failure_at: null, last_failure: null },
    ...fields
  }
  return webhook
})

/** Stores a webhook of a partner, as the operator. The webhook receives only later events. */
export const storeWebhook = Effect.fnUntraced(function*(
  partner: PartnerDetail,
  root: PartnerDetail = partner,
  fields: Partial<Webhook> = {}
) {
  const webhook = yield* aWebhook(partner, fields)
  const cursor = yield* (yield* EventLog).last(root.partner_id)
  yield* (yield* WebhookRepository).insert(asOperator.inScope(partner.partner_id), webhook, {
    root_id: root.partner_id,
    secret: "sealed:1",
    cursor
  })
  return webhook
})
