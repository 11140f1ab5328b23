import { type WebhookAnswer, type WebhookDelivery, WebhookSender } from "@lastro/domain/webhook"
import { Context, Effect, Layer } from "effect"

/**
 * The behaviour of an endpoint.
 *
 * - `ok`: answers 200.
 * - `dead`: refuses connections.
 * - `slow`: gives no answer for 10 seconds.
 * - `failing`: answers 500 to the attempts 1, 3, 5 and so on.
 * - `gone`: answers 410.
 * - `redirect`: answers 302.
 * - a function: returns the answer. `attempt` is 1 for the first attempt.
 */
export type EndpointBehaviour =
  | "ok"
  | "dead"
  | "slow"
  | "failing"
  | "gone"
  | "redirect"
  | ((delivery: WebhookDelivery, attempt: number) => WebhookAnswer)

/** An attempt to deliver a webhook, with the answer of the endpoint. */
export interface SentWebhook extends WebhookDelivery {
  readonly answer: WebhookAnswer
}

/** Makes the answer of an endpoint. */
export const webhookAnswer = (
  status: number,
  { duration_ms = 1, retry_after_ms = null }: {
    readonly duration_ms?: number
    readonly retry_after_ms?: number | null
  } = {}
): WebhookAnswer => ({ kind: "ANSWERED", status, retry_after_ms, duration_ms })

const answerOf = (behaviour: EndpointBehaviour, delivery: WebhookDelivery, attempt: number): WebhookAnswer => {
  if (typeof behaviour === "function") return behaviour(delivery, attempt)
  switch (behaviour) {
    case "ok":
      return webhookAnswer(200)
    case "dead":
      return { kind: "FAILED", reason: "CONNECTION", duration_ms: 1 }
    case "slow":
      return { kind: "FAILED", reason: "TIMEOUT", duration_ms: 10_000 }
    case "failing":
      return webhookAnswer(attempt % 2 === 1 ? 500 : 200)
    case "gone":
      return webhookAnswer(410)
    case "redirect":
      return webhookAnswer(302)
  }
}

/**
 * A sender of webhooks that records the attempts instead of sending them. A test sets the behaviour of the endpoints.
 */
export class RecordingWebhookSender extends Context.Service<RecordingWebhookSender, {
  /** Returns the ended attempts, in the order in which they ended. */
  readonly sent: () => ReadonlyArray<SentWebhook>
  /** Returns the largest number of attempts to an endpoint that ran at the same time. */
  readonly mostInFlight: (url: string) => number
  /** Sets the behaviour of an endpoint. Default: `ok`. */
  readonly setBehaviour: (url: string, behaviour: EndpointBehaviour) => void
}>()("@lastro/testkit/webhook/RecordingWebhookSender") {}

const make = Effect.sync(() => {
  const sent: Array<SentWebhook> = []
  const attempts = new Map<string, number>()
  const behaviours = new Map<string, EndpointBehaviour>()
  const inFlight = new Map<string, number>()
  const mostInFlight = new Map<string, number>()
  let secrets = 0
  const changeInFlight = (url: string, by: 1 | -1) => {
    const count = (inFlight.get(url) ?? 0) + by
    inFlight.set(url, count)
    mostInFlight.set(url, Math.max(mostInFlight.get(url) ?? 0, count))
  }
  const sender = WebhookSender.of({
    send: (delivery) =>
      Effect.gen(function*() {
        const { url } = delivery
        const behaviour = behaviours.get(url) ?? "ok"
        const attempt = (attempts.get(url) ?? 0) + 1
        attempts.set(url, attempt)
        changeInFlight(url, 1)
        yield* behaviour === "slow" ? Effect.sleep("10 seconds") : Effect.yieldNow
        const answer = answerOf(behaviour, delivery, attempt)
        sent.push({ ...delivery, answer })
        return answer
      }).pipe(Effect.ensuring(Effect.sync(() => changeInFlight(delivery.url, -1)))),
    newSecret: Effect.sync(() => {
      secrets++
      return { shown: `whsec_test${secrets}`, sealed: `sealed:whsec_test${secrets}` }
    }),
    refusalOf: (url) => {
      if (!URL.canParse(url)) return "INVALID_URL"
      const { hostname, protocol } = new URL(url)
      if (protocol !== "https:") return "HTTPS_REQUIRED"
      return /^\d/.test(hostname) ? "ADDRESS_FORBIDDEN" : undefined
    }
  })
  const recording = RecordingWebhookSender.of({
    sent: () => [...sent],
    mostInFlight: (url) => mostInFlight.get(url) ?? 0,
    setBehaviour: (url, behaviour) => void behaviours.set(url, behaviour)
  })
  return Context.make(WebhookSender, sender).pipe(Context.add(RecordingWebhookSender, recording))
})

/** Provides a sender whose endpoints all behave as `ok` at first. */
export const layerRecordingWebhookSender: Layer.Layer<RecordingWebhookSender | WebhookSender> = Layer.effectContext(
  make
)
