import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { parseChoiceFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { readListPage } from "../ports/readListPage.ts"
import { PartnerId, type WebhookId } from "../values/ids.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { DeliveryStatus } from "./DeliveryRecord.ts"
import { WebhookStatus } from "./Webhook.ts"
import { type DeliveryQuery, WebhookRepository, webhookSortFields } from "./WebhookRepository.ts"

const parseQuery = parseListQuery({
  filters: { partner_id: parseIdFilter(PartnerId), status: parseChoiceFilter(WebhookStatus.literals) },
  fields: webhookSortFields
})

const parseDeliveryQuery = parseListQuery({
  filters: { status: parseChoiceFilter(DeliveryStatus.literals) },
  fields: webhookSortFields
})

/** Lists the webhooks of the partners in the caller's subtree. The query is untrusted. */
export const listWebhooks = Effect.fnUntraced(function*(
  allowed: Allowed<"webhooks:write">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { list } = yield* WebhookRepository
  const scope = scopeOf(allowed)
  return yield* readListPage("webhooks", scope, parsed, (query) => list(scope, query, budget))
})

/** Returns a webhook in the caller's subtree. */
export const getWebhook = Effect.fnUntraced(function*(allowed: Allowed<"webhooks:write">, id: WebhookId) {
  const found = yield* (yield* WebhookRepository).find(scopeOf(allowed), id)
  return (yield* Effect.fromResult(judgeFound(found))).record
})

/**
 * Lists the deliveries of a webhook in the caller's subtree. Those that ended more than 7 days ago are deleted. The
 * query is untrusted.
 */
export const listWebhookDeliveries = Effect.fnUntraced(function*(
  allowed: Allowed<"webhooks:write">,
  id: WebhookId,
  query: RawQuery,
  budget?: number
) {
  const webhooks = yield* WebhookRepository
  const webhook = yield* Effect.fromResult(judgeFound(yield* webhooks.find(scopeOf(allowed), id)))
  const parsed = yield* Effect.fromResult(parseDeliveryQuery(query))
  const read = (query: DeliveryQuery) => webhooks.listDeliveries(webhook, query, budget)
  return yield* readListPage(`deliveries ${id}`, scopeOf(allowed), parsed, read)
})
