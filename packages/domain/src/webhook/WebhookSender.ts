import { Context, Effect, Layer, Option } from "effect"
import { type Timestamp } from "../values/Timestamp.ts"

/** One delivery of an event to an endpoint. */
export interface WebhookDelivery {
  /** The id of the event, by which a receiver recognises repeated deliveries. */
  readonly event_id: string
  /** The address of the endpoint, as it was registered. */
  readonly url: string
  /** The encrypted secrets that sign the delivery: the current one, and the previous one for 24 hours after a rotation. */
  readonly secrets: ReadonlyArray<string>
  /** The body: the event as JSON. */
  readonly body: string
  /** The time of the attempt, which is signed. */
  readonly at: Timestamp
}

/**
 * The outcome of an attempt. ANSWERED: the endpoint answered with this HTTP status. FAILED: there is no answer.
 * `retry_after_ms` is the `Retry-After` of the answer, or null.
 */
export type WebhookAnswer =
  | {
    readonly kind: "ANSWERED"
    readonly status: number
    readonly retry_after_ms: number | null
    readonly duration_ms: number
  }
  | { readonly kind: "FAILED"; readonly reason: WebhookFault; readonly duration_ms: number }

/**
 * The reason why an attempt has no answer.
 *
 * - ADDRESS_FORBIDDEN: the name resolves to an address that is neither public nor allowed.
 * - NAME_NOT_FOUND: the name does not resolve.
 * - TLS: the certificate is not valid.
 * - TIMEOUT: no answer within 10 seconds.
 * - CONNECTION: the connection was refused or closed.
 * - SECRET_UNREADABLE: this key cannot decrypt the current secret.
 */
export type WebhookFault =
  | "ADDRESS_FORBIDDEN"
  | "NAME_NOT_FOUND"
  | "TLS"
  | "TIMEOUT"
  | "CONNECTION"
  | "SECRET_UNREADABLE"

/** Sends events to the endpoints of receivers, signed by Standard Webhooks 1.0, and keeps their secrets encrypted. */
export class WebhookSender extends Context.Service<WebhookSender, {
  /** Sends one delivery, once. Does not follow redirects. Ends within 11 seconds, and never fails. */
  readonly send: (delivery: WebhookDelivery) => Effect.Effect<WebhookAnswer>
  /** Makes a new secret: as the receiver sees it once (`whsec_…`), and encrypted for the database. */
  readonly newSecret: Effect.Effect<{ readonly shown: string; readonly sealed: string }>
  /**
   * Judges the address of an endpoint when it is registered: `https`, a name or a public literal address, without user
   * and password. Returns the reason why it is refused, or undefined.
   */
  readonly refusalOf: (url: string) => "INVALID_URL" | "HTTPS_REQUIRED" | "ADDRESS_FORBIDDEN" | undefined
}>()("@lastro/domain/webhook/WebhookSender") {}

/** Refuses every address and sends nothing. */
const noSender: WebhookSender["Service"] = {
  send: () => Effect.succeed({ kind: "FAILED", reason: "ADDRESS_FORBIDDEN", duration_ms: 0 }),
  newSecret: Effect.succeed({ shown: "", sealed: "" }),
  refusalOf: () => "ADDRESS_FORBIDDEN"
}

/**
 * Provides the sender of webhooks from the context. Without one, the program has no webhooks: it refuses every address
 * of an endpoint.
 */
export const layerSenderOfContext: Layer.Layer<WebhookSender> = Layer.effect(
  WebhookSender,
  Effect.map(Effect.serviceOption(WebhookSender), Option.getOrElse(() => noSender))
)
