import { WebhookQueue, WebhookRepository } from "@lastro/domain/webhook"
import { webhookQueueSuite, webhookRepositorySuite } from "@lastro/testkit/suites"
import { Effect } from "effect"
import { type Fault, faultOf } from "./Fault.ts"

const queue = faultOf("WebhookQueue", WebhookQueue, webhookQueueSuite)
const repository = faultOf("WebhookRepository", WebhookRepository, webhookRepositorySuite)

/** Broken adapters of webhooks. */
export const webhookFaults: ReadonlyArray<Fault> = [
  queue("a claim ignores the places for endpoints that lag", /WEBHOOK-05/, ({ claim }) => ({
    claim: ({ healthy, lagging }) => claim({ healthy: healthy + lagging, lagging: healthy + lagging })
  })),
  queue(
    "events are lost if the cursor was changed since they were read",
    /cursor is not that of the part/,
    (sound) => ({
      advance: (lease, part, limit) => sound.advance(lease, part && { ...part, after: lease.cursor }, limit)
    })
  ),
  queue("a lost lease still stores outcomes", /a lease that was lost changes nothing/, (sound) => ({
    release: (lease, window) => sound.release({ ...lease, fence: lease.fence + 1 }, window)
  })),
  queue("a hold is forgotten", /WEBHOOK-02/, (sound) => ({
    settle: (lease, batch) => sound.settle(lease, { ...batch, hold_ms: null })
  })),
  queue("a failed attempt is due at once", /`settle` stores the outcomes/, (sound) => ({
    settle: (lease, batch) =>
      sound.settle(lease, {
        ...batch,
        outcomes: batch.outcomes.map((one) => ({ ...one, after_ms: one.after_ms === null ? null : 0 }))
      })
  })),
  queue("the window is never full", /WEBHOOK-04/, (sound) => ({
    release: (lease) => sound.release(lease, Number.MAX_SAFE_INTEGER)
  })),
  queue("a stop is not stored", /WEBHOOK-03/, (sound) => ({
    settle: (lease, batch) => sound.settle(lease, { ...batch, stop: null })
  })),
  queue("more deliveries are returned than the limit", /`settle` stores the outcomes/, (sound) => ({
    advance: (lease, part) => sound.advance(lease, part, 1_000)
  })),
  repository("`restart` does nothing", /`restart`/, () => ({ restart: () => Effect.void })),
  repository("`redeliver` does nothing", /WEBHOOK-12/, () => ({ redeliver: () => Effect.void })),
  repository("`moveCursor` ignores the stored cursor", /WEBHOOK-10/, (sound) => ({
    moveCursor: (webhook, change) => sound.moveCursor(webhook, () => change(0))
  })),
  repository("a rotation keeps no earlier secret", /WEBHOOK-09/, (sound) => ({
    setSecret: (webhook, secret, until) =>
      Effect.andThen(sound.setSecret(webhook, secret, until), sound.setSecret(webhook, secret, until))
  })),
  repository("`update` keeps the address", /`update` saves/, (sound) => ({
    update: (before, after) => sound.update(before, { ...after, url: before.record.url })
  })),
  repository("the webhook is kept", /`remove` deletes/, () => ({ remove: () => Effect.void })),
  repository("the budget is ignored", /ReadBudgetExceeded/, (sound) => ({
    list: (scope, query) => sound.list(scope, query),
    listDeliveries: (webhook, query) => sound.listDeliveries(webhook, query)
  }))
]
