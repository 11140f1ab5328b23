import { createWebhook } from "../webhook/CreateWebhook.ts"
import { getWebhook, listWebhookDeliveries, listWebhooks } from "../webhook/ListWebhooks.ts"
import { redeliverEvent, replayWebhook, rotateWebhookSecret, testWebhook } from "../webhook/requestDeliveries.ts"
import { deleteWebhook, updateWebhook } from "../webhook/UpdateWebhook.ts"
import { delivery, noAddress, webhook, webhookAction } from "./Address.ts"
import { operation, requirePermission } from "./Operation.ts"

const writeWebhooks = requirePermission("webhooks:write")

/** The operations on webhooks. */
export const webhooks = {
  /** Lists the webhooks in the caller's subtree, one page at a time. */
  listWebhooks: operation({ requires: writeWebhooks, address: noAddress, takes: "list", useCase: listWebhooks }),
  /** Creates a webhook. Its secret is returned only once. */
  createWebhook: operation({
    requires: writeWebhooks,
    address: noAddress,
    takes: "command",
    creates: "webhook_id",
    secret: "secret",
    untagged: "health",
    useCase: createWebhook
  }),
  /** Reads one webhook. */
  getWebhook: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "nothing",
    untagged: "health",
    useCase: getWebhook
  }),
  /** Changes a webhook, pauses it or resumes it. Only the fields in the body change. */
  updateWebhook: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "patch",
    untagged: "health",
    useCase: updateWebhook
  }),
  /** Deletes a webhook with its deliveries. */
  deleteWebhook: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "deletion",
    untagged: "health",
    useCase: deleteWebhook
  }),
  /** Replaces the secret of a webhook. Both secrets sign for 24 hours. The new one is returned only once. */
  rotateWebhookSecret: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "optional command",
    secret: "secret",
    untagged: "health",
    useCase: rotateWebhookSecret
  }),
  /** Sends a test event to a webhook, once. */
  testWebhook: operation({
    requires: writeWebhooks,
    address: webhookAction,
    takes: "optional command",
    useCase: testWebhook
  }),
  /** Lists the deliveries of a webhook, newest first, one page at a time. */
  listWebhookDeliveries: operation({
    requires: writeWebhooks,
    address: webhookAction,
    takes: "list",
    useCase: listWebhookDeliveries
  }),
  /** Sends an event to a webhook again. */
  redeliverEvent: operation({
    requires: writeWebhooks,
    address: delivery,
    takes: "optional command",
    useCase: redeliverEvent
  }),
  /** Delivers the events from a sequence on again. */
  replayWebhook: operation({
    requires: writeWebhooks,
    address: webhookAction,
    takes: "command",
    useCase: replayWebhook
  })
}
