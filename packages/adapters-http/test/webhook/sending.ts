import { layerWebhookSender, type ResolveName, type WebhookSenderOptions } from "@lastro/adapters-http/webhook"
import { PersonalDataHasher } from "@lastro/domain/audit"
import { timestampOf } from "@lastro/domain/values"
import { type WebhookDelivery, WebhookSender } from "@lastro/domain/webhook"
import { Context, Effect, Layer, type Scope } from "effect"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { type Server } from "node:net"

/** A hasher with a key of its own, as a database has it. */
export const hasherOf = (key: string) =>
  Layer.succeed(PersonalDataHasher, PersonalDataHasher.of({ hash: (text) => Effect.succeed(`${key}:${text}`) }))

/** Makes a sender, closed with the scope. Default: endpoints on this machine are allowed. */
export const openSender = (
  options: WebhookSenderOptions = {},
  hasher = hasherOf("one")
): Effect.Effect<WebhookSender["Service"], never, Scope.Scope> =>
  Effect.map(
    Layer.build(layerWebhookSender({ isLoopbackAllowed: true, ...options }).pipe(Layer.provide(hasher))),
    Context.get(WebhookSender)
  )

/** A server that can close all of its connections. */
interface Closable extends Server {
  readonly closeAllConnections: () => void
}

/** Listens on a free port of this machine until the scope closes. Returns the port. */
export const listening = (server: Closable, host = "127.0.0.1"): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      await once(server.listen(0, host), "listening")
      const address = server.address()
      return typeof address === "object" && address !== null ? address.port : 0
    }),
    () =>
      Effect.promise(async () => {
        const closed = once(server, "close")
        server.close()
        server.closeAllConnections()
        await closed
      })
  )

/** Serves requests on this machine. Returns the URL of an endpoint. */
export const receiver = (handle: RequestListener) =>
  Effect.map(listening(createServer(handle)), (port) => `http://127.0.0.1:${port}/hooks`)

/** A delivery with a new secret. */
export const aDelivery = (sender: WebhookSender["Service"], url: string, fields: Partial<WebhookDelivery> = {}) =>
  Effect.map(sender.newSecret, ({ sealed }): WebhookDelivery => ({
    event_id: "0197f3a2-9a1b-7c2d-8e3f-4a5b6c7d8e9f",
    url,
    secrets: [sealed],
    body: "{\"type\":\"proposal.paid\"}",
    at: timestampOf(Date.UTC(2026, 10, 27, 12, 0, 0, 900)),
    ...fields
  }))

/** Sends a delivery, and returns the answer without its duration. */
export const sent = (sender: WebhookSender["Service"], url: string, fields: Partial<WebhookDelivery> = {}) =>
  Effect.map(
    Effect.flatMap(aDelivery(sender, url, fields), sender.send),
    ({ duration_ms: _, ...answer }) => answer
  )

/** A resolver that returns these addresses for every name, and records the names. */
export const resolving = (...addresses: ReadonlyArray<string>) => {
  const names: Array<string> = []
  const resolve: ResolveName = async (name) => {
    names.push(name)
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  }
  return { names, resolve }
}
