import { assert, describe, it } from "@effect/vitest"
import { randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { verifyWebhook, type WebhookHeaders, WebhookRefused } from "../src/index.ts"

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`
const secret = newSecret()
const sentAt = new Date("2026-01-31T12:00:00Z")
const now = sentAt.getTime()
const body = JSON.stringify({ event_id: "one", type: "proposal.paid", data: { name: "Conceição" } })

/** Signs a delivery with the public library of Standard Webhooks. */
const signed = (...secrets: ReadonlyArray<string>): Record<string, string> => ({
  "webhook-id": "one",
  "webhook-timestamp": String(now / 1_000),
  "webhook-signature": secrets.map((one) => new Webhook(one).sign("one", sentAt, body)).join(" ")
})

const codeOf = async (...args: Parameters<typeof verifyWebhook>): Promise<string> => {
  try {
    await verifyWebhook(...args)
  } catch (error) {
    return error instanceof WebhookRefused ? error.code : String(error)
  }
  return "none"
}

const refused = (code: string, headers: WebhookHeaders, content: string | Uint8Array = body, key = secret) =>
  codeOf(content, headers, key, { now }).then((found) => assert.strictEqual(found, code))

describe("a delivery", () => {
  it("with the signature of the public library is accepted as text and as bytes", async () => {
    for (const content of [body, new TextEncoder().encode(body)]) {
      for (const headers of [signed(secret), new Headers(signed(secret))]) {
        const event = await verifyWebhook(content, headers, secret, { now })
        assert.deepStrictEqual(event, JSON.parse(body))
      }
    }
  })

  it("with one valid signature of several is accepted", async () => {
    const headers = signed(newSecret(), secret, newSecret())
    await verifyWebhook(body, headers, secret, { now })
    await verifyWebhook(
      body,
      { ...headers, "webhook-signature": `v2,abc v1,% ${signed(secret)["webhook-signature"]}` },
      secret,
      { now }
    )
  })

  it("of another secret, or with another body, id or time, is refused", async () => {
    const code = "INVALID_SIGNATURE"
    await refused(code, signed(newSecret()))
    await refused(code, signed(secret), body.replace("paid", "lost"))
    await refused(code, { ...signed(secret), "webhook-id": "two" })
    await refused(code, { ...signed(secret), "webhook-timestamp": String(now / 1_000 + 1) })
    await refused(code, { ...signed(secret), "webhook-signature": "v1," })
    await refused(code, { ...signed(secret), "webhook-signature": "none" })
  })

  it("whose timestamp differs from the clock by more than the tolerance is refused", async () => {
    const at = (seconds: number, tolerance?: number) =>
      codeOf(body, signed(secret), secret, { now: now + 1_000 * seconds, tolerance })
    assert.deepStrictEqual(await Promise.all([at(300), at(-300), at(60, 60)]), ["none", "none", "none"])
    const late = await Promise.all([at(301), at(-301), at(61, 60)])
    assert.deepStrictEqual(late, Array(3).fill("TIMESTAMP_OUT_OF_RANGE"))
    await refused("TIMESTAMP_OUT_OF_RANGE", { ...signed(secret), "webhook-timestamp": "now" })
  })

  it("without a header, with a wrong secret, or without JSON is refused", async () => {
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      await refused("MISSING_HEADER", { ...signed(secret), [name]: undefined })
    }
    for (const wrong of ["", "whsec_", "whsec_%", "whsec_c2hvcnQ="]) {
      await refused("INVALID_SECRET", signed(secret), body, wrong)
    }
    const text = "not JSON"
    const headers = { ...signed(secret), "webhook-signature": new Webhook(secret).sign("one", sentAt, text) }
    await refused("INVALID_BODY", headers, text)
  })
})
