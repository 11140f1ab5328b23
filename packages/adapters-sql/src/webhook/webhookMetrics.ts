import { registerMetrics } from "@lastro/domain/adapters"
import { endWithin } from "@lastro/domain/values"
import { type WebhookCounts, WebhookQueue } from "@lastro/domain/webhook"
import { Effect, Layer } from "effect"

/** Minimum time between two counts, in milliseconds. */
const countInterval = 5_000

/** Deadline of a count. If it takes longer, the values are NaN. */
const deadline = "2 seconds"

/**
 * Registers the metrics of the webhooks, which all nodes of a database share. Counts only when something reads them.
 */
export const layerWebhookMetrics: Layer.Layer<never, never, WebhookQueue> = Layer.effectDiscard(Effect.gen(function*() {
  const { counts } = yield* WebhookQueue
  const runFork = Effect.runForkWith(yield* Effect.context())
  let last: WebhookCounts | undefined = { active: 0, paused: 0, disabled: 0, pending: 0, oldest_due_seconds: 0 }
  let beganAt = Number.NEGATIVE_INFINITY
  const count = endWithin(counts, deadline, Effect.die("no answer")).pipe(
    Effect.map((read) => {
      last = read
    }),
    Effect.catchCause(() =>
      Effect.sync(() => {
        last = undefined
      })
    ),
    Effect.withTracerEnabled(false)
  )
  const read = (name: keyof WebhookCounts) => () => {
    if (performance.now() - beganAt >= countInterval) {
      beganAt = performance.now()
      runFork(count)
    }
    return last?.[name] ?? Number.NaN
  }
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
