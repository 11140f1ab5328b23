import { createWebhook } from "../webhook/CreateWebhook.ts"
import { getWebhook, listWebhookDeliveries, listWebhooks } from "../webhook/ListWebhooks.ts"
import { redeliverEvent, replayWebhook, rotateWebhookSecret, testWebhook } from "../webhook/requestDeliveries.ts"
import { deleteWebhook, updateWebhook } from "../webhook/UpdateWebhook.ts"
import { delivery, noAddress, webhook, webhookAction } from "./Address.ts"
import { operation, requirePermission } from "./Operation.ts"

const writeWebhooks = requirePermission("webhooks:write")

/** The operations on webhooks. `WebhookFunctions` describes each one. */
export const webhooks = {
  listWebhooks: operation({ requires: writeWebhooks, address: noAddress, takes: "list", useCase: listWebhooks }),
  createWebhook: operation({
    requires: writeWebhooks,
    address: noAddress,
    takes: "command",
    creates: "webhook_id",
    secret: "secret",
    untagged: "health",
    useCase: createWebhook
  }),
  getWebhook: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "nothing",
    untagged: "health",
    useCase: getWebhook
  }),
  updateWebhook: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "patch",
    untagged: "health",
    useCase: updateWebhook
  }),
  deleteWebhook: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "deletion",
    untagged: "health",
    useCase: deleteWebhook
  }),
  rotateWebhookSecret: operation({
    requires: writeWebhooks,
    address: webhook,
    takes: "optional command",
    secret: "secret",
    untagged: "health",
    useCase: rotateWebhookSecret
  }),
  testWebhook: operation({
    requires: writeWebhooks,
    address: webhookAction,
    takes: "optional command",
    useCase: testWebhook
  }),
  listWebhookDeliveries: operation({
    requires: writeWebhooks,
    address: webhookAction,
    takes: "list",
    useCase: listWebhookDeliveries
  }),
  redeliverEvent: operation({
    requires: writeWebhooks,
    address: delivery,
    takes: "optional command",
    useCase: redeliverEvent
  }),
  replayWebhook: operation({
    requires: writeWebhooks,
    address: webhookAction,
    takes: "command",
    useCase: replayWebhook
  })
}
