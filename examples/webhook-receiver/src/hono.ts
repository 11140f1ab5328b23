import { createAdaptorServer } from "@hono/node-server"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { Webhook } from "standardwebhooks"
import { type Inbox } from "./Inbox.ts"

/** Creates a Hono server that receives events. `work` runs once per event. */
export const honoReceiver = (secret: string, inbox: Inbox, work: (event: unknown) => void) => {
  const webhook = new Webhook(secret)
  const app = new Hono()
  app.post("/webhooks", bodyLimit({ maxSize: 1024 * 1024 }), async (context) => {
    // The signature covers the exact bytes, so do not parse the body before the verification.
    const body = await context.req.text()
    const headers = {
      "webhook-id": context.req.header("webhook-id") ?? "",
      "webhook-timestamp": context.req.header("webhook-timestamp") ?? "",
      "webhook-signature": context.req.header("webhook-signature") ?? ""
    }
    let event: unknown
    try {
      event = webhook.verify(body, headers)
    } catch {
      return context.body(null, 401)
    }
    // A repeated delivery has the same id. If the work fails, the response is 500, and the event is delivered again.
    inbox.once(headers["webhook-id"], body, () => work(event))
    return context.body(null, 204)
  })
  return createAdaptorServer({ fetch: app.fetch })
}
