import { millisOf, type Timestamp } from "@lastro/domain/values"
import { createHmac } from "node:crypto"

/** Signs a delivery with each secret (Standard Webhooks 1.0, symmetric). Returns its headers. */
export const webhookSignature = (id: string, at: Timestamp, body: string, secrets: ReadonlyArray<Uint8Array>) => {
  const seconds = String(Math.floor(millisOf(at) / 1_000))
  const signatures = secrets.map((secret) =>
    `v1,${createHmac("sha256", secret).update(`${id}.${seconds}.${body}`).digest("base64")}`
  )
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures.join(" ") }
}
