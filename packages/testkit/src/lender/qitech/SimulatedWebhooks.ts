import { randomUUID } from "node:crypto"
import { issueToken, md5Of, tokenTime } from "./simulatorTokens.ts"

/** A webhook as it is sent. */
export interface SentWebhook {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Receives webhooks. Returns the status of the answer. */
export type WebhookReceiver = (webhook: SentWebhook) => Promise<number>

/** Options of a delivery. */
export interface DeliveryOptions {
  /** How often each webhook is sent. Default: 1. */
  readonly times?: number
  /** Sends the newest webhook first. */
  readonly reversed?: boolean
  /** Changes a webhook after it was signed. */
  readonly change?: (webhook: SentWebhook) => SentWebhook
  /** The time of the signature, in milliseconds. Default: now. */
  readonly signedAt?: number
  /** The private key that signs. Default: the key of the simulator. */
  readonly signedWith?: string
}

interface NotificationEvent {
  readonly event_key: string
  readonly callback_key: string
  readonly event_type: string
  readonly origin_key: string
  readonly at: number
  readonly text: string
  status: "pending" | "sent" | "failed"
}

/** The webhooks of the simulator. */
export interface SimulatedWebhooks {
  /** Adds a webhook. It waits until it is delivered, unless deliveries are immediate. */
  readonly add: (event_type: string, origin_key: string, body: object) => void
  /** Sends all waiting webhooks. Returns the statuses of the answers. */
  readonly deliver: (options?: DeliveryOptions) => Promise<ReadonlyArray<number>>
  /** Removes all waiting webhooks, as if their deliveries had failed. */
  readonly lose: () => void
  /** Returns the bodies of all waiting webhooks. */
  readonly waiting: () => ReadonlyArray<unknown>
  readonly list: (query: URLSearchParams) => ReadonlyArray<object>
  /** Queues a webhook again. Returns whether it exists. */
  readonly resend: (event_key: unknown, callback_key: unknown) => boolean
}

/** Makes the webhooks of a simulator. */
export const makeWebhooks = (options: {
  readonly receiver: () => { readonly path: string; readonly receive: WebhookReceiver }
  readonly privateKey: string
  readonly apiKey: string
  readonly now: () => number
  /** Sends each webhook as soon as it is added. */
  readonly immediate: () => boolean
}): SimulatedWebhooks => {
  const events: Array<NotificationEvent> = []

  const send = async (event: NotificationEvent, delivery: DeliveryOptions): Promise<number> => {
    const { path, receive } = options.receiver()
    const body = new TextEncoder().encode(event.text)
    const authorization = issueToken(delivery.signedWith ?? options.privateKey, {
      payload_md5: md5Of(body),
      timestamp: tokenTime(delivery.signedAt ?? options.now()),
      method: "POST",
      uri: path
    })
    const headers = { authorization, "api-client-key": options.apiKey, "content-type": "application/json" }
    const webhook: SentWebhook = { method: "POST", path, headers, body }
    const status = await receive(delivery.change === undefined ? webhook : delivery.change(webhook)).catch(() => 0)
    event.status = status >= 200 && status < 300 ? "sent" : "failed"
    return status
  }

  const deliver = async (delivery: DeliveryOptions = {}): Promise<ReadonlyArray<number>> => {
    const pending = events.filter(({ status }) => status === "pending")
    const ordered = delivery.reversed === true ? pending.toReversed() : pending
    const statuses: Array<number> = []
    const sent = Array.from({ length: delivery.times ?? 1 }, () => ordered).flat()
    // The webhooks are sent one after the other, because tests control their order.
    await sent.reduce(
      (before, event) =>
        before.then(() => send(event, delivery)).then((status) => {
          statuses.push(status)
        }),
      Promise.resolve()
    )
    return statuses
  }

  const soon = (): void => {
    if (options.immediate()) setImmediate(() => void deliver())
  }

  return {
    deliver,
    add: (event_type, origin_key, body) => {
      events.push({
        event_type,
        origin_key,
        event_key: randomUUID(),
        callback_key: randomUUID(),
        at: options.now(),
        text: JSON.stringify(body),
        status: "pending"
      })
      soon()
    },
    lose: () => {
      for (const event of events) if (event.status === "pending") event.status = "failed"
    },
    waiting: () => events.filter(({ status }) => status === "pending").map(({ text }) => JSON.parse(text) as unknown),
    list: (query) =>
      events.filter(({ at, origin_key }) =>
        (query.get("origin_key") ?? origin_key) === origin_key &&
        at >= Date.parse(query.get("start_datetime") ?? "1970-01-01T00:00:00Z") &&
        at <= Date.parse(query.get("end_datetime") ?? "2199-01-01T00:00:00Z")
      ).map(({ callback_key, event_key, event_type, origin_key, status }) => ({
        event_key,
        event_type,
        status: "processed",
        origin_enumerator: "lego",
        origin_key,
        callbacks: [{ callback_key, callback_status: status }]
      })),
    resend: (event_key, callback_key) => {
      const event = events.find((one) => one.event_key === event_key && one.callback_key === callback_key)
      if (event === undefined) return false
      event.status = "pending"
      soon()
      return true
    }
  }
}
