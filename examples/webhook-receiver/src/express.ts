import express from "express"
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { type Inbox } from "./Inbox.ts"

/** Creates an Express server that receives events. `work` runs once per event. */
export const expressReceiver = (secret: string, inbox: Inbox, work: (event: unknown) => void) => {
  const webhook = new Webhook(secret)
  const app = express()
  // The signature covers the exact bytes, so do not parse the body before the verification.
  app.post("/webhooks", express.text({ type: "application/json", limit: "1mb" }), (request, response) => {
    const headers = {
      "webhook-id": request.get("webhook-id") ?? "",
      "webhook-timestamp": request.get("webhook-timestamp") ?? "",
      "webhook-signature": request.get("webhook-signature") ?? ""
    }
    let event: unknown
    try {
      event = webhook.verify(String(request.body), headers)
    } catch {
      response.sendStatus(401)
      return
    }
    // A repeated delivery has the same id. If the work fails, the response is 500, and the event is delivered again.
    inbox.once(headers["webhook-id"], String(request.body), () => work(event))
    response.sendStatus(204)
  })
  return createServer(app)
}
