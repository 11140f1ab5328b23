import { type LastroEvent } from "./types.ts"

/** Reasons to refuse a delivery. */
export type WebhookProblem =
  | "MISSING_HEADER"
  | "INVALID_SECRET"
  | "TIMESTAMP_OUT_OF_RANGE"
  | "INVALID_SIGNATURE"
  | "INVALID_BODY"

/** The delivery must not be trusted. Answer it with 401. */
export class WebhookRefused extends Error {
  readonly _tag = "WebhookRefused"
  override readonly name = "WebhookRefused"
  readonly code: WebhookProblem

  /** Makes an error with this code. */
  constructor(code: WebhookProblem, message: string) {
    super(message)
    this.code = code
  }
}

/** The headers of a request: a `Headers` object, or the object of Node.js with names in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The clock and the tolerance of `verifyWebhook`. */
export interface WebhookOptions {
  /** Maximum difference between the timestamp and the clock, in seconds. Default: 300. */
  readonly tolerance?: number | undefined
  /** The present time in milliseconds since 1970. Default: the clock. */
  readonly now?: number | undefined
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers["get"] === "function"

const headerOf = (headers: WebhookHeaders, name: string): string => {
  const value = isHeaders(headers) ? headers.get(name) : headers[name]
  if (typeof value === "string" && value !== "") return value
  throw new WebhookRefused("MISSING_HEADER", `The header ${name} is missing.`)
}

/** Imports a secret of the form `whsec_` and Base64. */
const keyOf = async (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""))
  if (bytes === undefined || bytes.length < 24) {
    throw new WebhookRefused("INVALID_SECRET", "The secret is not valid. Pass the secret of the webhook, whsec_….")
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

/**
 * Verifies a delivery by Standard Webhooks 1.0, and returns its event. `body` is the exact, unparsed body of the
 * request. After the rotation of a secret, a delivery has several signatures, and one valid signature is enough. Throws
 * {@link WebhookRefused}. A repeated delivery has the same `event_id`, so process each id once.
 */
export const verifyWebhook = async (
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { now = Date.now(), tolerance = 300 }: WebhookOptions = {}
): Promise<LastroEvent> => {
  const id = headerOf(headers, "webhook-id")
  const timestamp = headerOf(headers, "webhook-timestamp")
  const signatures = headerOf(headers, "webhook-signature").split(" ").slice(0, 20)
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > tolerance) {
    throw new WebhookRefused(
      "TIMESTAMP_OUT_OF_RANGE",
      `The timestamp differs from the clock by more than ${tolerance} s.`
    )
  }
  const key = await keyOf(secret)
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(prefix.length + content.length)
  signed.set(prefix)
  signed.set(content, prefix.length)
  // `verify` compares in constant time.
  const results = await Promise.all(
    signatures.filter((signature) => signature.startsWith("v1,")).map(async (signature) => {
      const bytes = bytesOf(signature.slice(3))
      return bytes !== undefined && crypto.subtle.verify("HMAC", key, bytes, signed)
    })
  )
  if (!results.includes(true)) {
    throw new WebhookRefused("INVALID_SIGNATURE", "No signature of the delivery matches the secret.")
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content))
  } catch {
    throw new WebhookRefused("INVALID_BODY", "The body is not JSON in UTF-8.")
  }
}
