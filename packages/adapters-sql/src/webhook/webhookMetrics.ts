import { registerMetrics } from "@lastro/domain/adapters"
import { type WebhookCounts, WebhookQueue } from "@lastro/domain/webhook"
import { Effect, Layer } from "effect"
import { readOnDemand } from "../database/readOnDemand.ts"

/** Minimum milliseconds between two counts. */
const countInterval = 5_000

/**
 * Registers the metrics of the webhooks, which all nodes of a database share. Counts only when the metrics are read.
 */
export const layerWebhookMetrics: Layer.Layer<never, never, WebhookQueue> = Layer.effectDiscard(Effect.gen(function*() {
  const counts = yield* readOnDemand((yield* WebhookQueue).counts, countInterval)
  const read = (name: keyof WebhookCounts) => () => counts.value()?.[name] ?? Number.NaN
  const shared = "Every node shows the same value, so do not sum it over nodes"
  yield* registerMetrics([
    ...(["active", "paused", "disabled"] as const).map((status) => ({
      name: "lastro_webhooks",
      description: `Webhooks by status. ${shared}`,
      labels: { status },
      read: read(status)
    })),
    {
      name: "lastro_webhook_deliveries_pending",
      description: `Deliveries that wait for an attempt. ${shared}`,
      read: read("pending")
    },
    {
      name: "lastro_webhook_oldest_due_seconds",
      description:
        "Time for which the longest overdue delivery has been due. Leaves out stopped webhooks, held endpoints and " +
        "inactive partners",
      read: read("oldest_due_seconds"),
      join: Math.max
    }
  ])
}))
