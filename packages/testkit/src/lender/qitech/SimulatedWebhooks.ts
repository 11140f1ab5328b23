import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from "node:crypto"

/** The HTTP request of a webhook. */
export interface SentWebhook {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Receives webhooks. Returns the HTTP status of the answer. */
export type WebhookReceiver = (webhook: SentWebhook) => Promise<number>

/** Options of a delivery. */
export interface DeliveryOptions {
  /** The number of times that each webhook is sent. Default: 1. */
  readonly times?: number
  /** True to send the newest webhook first. */
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
  /** Adds a webhook. It waits for `deliver`, unless deliveries are immediate. */
  readonly add: (event_type: string, origin_key: string, body: object) => void
  /** Sends all waiting webhooks. Returns the HTTP statuses of the answers. */
  readonly deliver: (options?: DeliveryOptions) => Promise<ReadonlyArray<number>>
  /** Removes all waiting webhooks, as if their deliveries had failed. */
  readonly lose: () => void
  /** Returns the bodies of all waiting webhooks. */
  readonly waiting: () => ReadonlyArray<unknown>
  /** Returns the webhooks that match a query of `GET /notification/events`. */
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
  /** True to send each webhook as soon as it is added. */
  readonly immediate: boolean
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
    const repeated = Array.from({ length: delivery.times ?? 1 }, () => ordered).flat()
    // The webhooks are sent one after another, because tests control their order.
    await repeated.reduce(
      (previous, event) => previous.then(async () => void statuses.push(await send(event, delivery))),
      Promise.resolve()
    )
    return statuses
  }

  const deliverIfImmediate = (): void => {
    if (options.immediate) setImmediate(() => void deliver())
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
      deliverIfImmediate()
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
      const event = events.find((event) => event.event_key === event_key && event.callback_key === callback_key)
      if (event === undefined) return false
      event.status = "pending"
      deliverIfImmediate()
      return true
    }
  }
}

/** Generates a pair of P-521 keys in PEM. */
export const generatePair = (): { readonly privateKey: string; readonly publicKey: string } =>
  generateKeyPairSync("ec", {
    namedCurve: "P-521",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" }
  })

/** The claims of the token that signs a call or a webhook of QI Tech. */
export interface TokenClaims {
  readonly payload_md5: string
  readonly timestamp: string
  readonly method: string
  readonly uri: string
}

const encodePart = (value: unknown): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64url")

/** Makes an ES512 token. */
const issueToken = (privateKey: string, claims: TokenClaims): string => {
  const signed = `${encodePart({ alg: "ES512", typ: "JWT" })}.${encodePart(claims)}`
  const signature = sign("sha512", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" })
  return `${signed}.${signature.toString("base64url")}`
}

/** Reads an ES512 token. Returns undefined if its header, its signature or its claims are wrong. */
export const readToken = (publicKey: string, token: string): TokenClaims | undefined => {
  const key: KeyObject = createPublicKey(publicKey)
  const [header, payload, signature] = token.split(".")
  if (header === undefined || payload === undefined || signature === undefined) return undefined
  try {
    const { alg, typ } = JSON.parse(Buffer.from(header, "base64url").toString()) as Record<string, unknown>
    if (alg !== "ES512" || typ !== "JWT") return undefined
    const isSigned = verify(
      "sha512",
      Buffer.from(`${header}.${payload}`),
      { key, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url")
    )
    return isSigned ? JSON.parse(Buffer.from(payload, "base64url").toString()) as TokenClaims : undefined
  } catch {
    return undefined
  }
}

/** Returns the MD5 in hexadecimal. */
export const md5Of = (bytes: Uint8Array): string => createHash("md5").update(bytes).digest("hex")

const tokenTime = (millis: number): string => new Date(millis).toISOString().replace("Z", "000Z")
