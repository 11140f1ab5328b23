import { type LenderCallback } from "@lastro/domain/lender"
import { createHmac } from "node:crypto"

/** A callback secret for tests. */
export const exampleCallbackSecret = `whsec_${Buffer.from("a secret of 24 to 64 bytes").toString("base64")}`

/**
 * Makes a callback of the lender protocol, signed with a secret as in Standard Webhooks 1.0. Independent of the HTTP
 * adapter, so that each tests the other.
 */
export const signedCallback = (
  secret: string,
  content: unknown,
  { at_ms = Date.now(), id = "msg_1" }: { readonly id?: string; readonly at_ms?: number } = {}
): LenderCallback => {
  const body = Buffer.from(JSON.stringify(content))
  const timestamp = String(Math.floor(at_ms / 1_000))
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body.toString("utf8")}`).digest("base64")
  return {
    method: "POST",
    path: "/api/v1/lender-callbacks/http",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature}`
    },
    body
  }
}
