import { defaultRateLimit } from "../../limits/RateLimit.ts"
import { type JsonObject } from "./JsonObject.ts"

const text = (description: string, example?: string): JsonObject => ({
  description,
  schema: { type: "string" },
  ...(example === undefined ? {} : { example })
})

const burst = defaultRateLimit === "off" ? 0 : defaultRateLimit.burst

/** The components of the OpenAPI document that describe response headers. */
export const headers = {
  Allow: { ...text("Methods of the path", "GET, PATCH, DELETE"), required: true },
  "Cache-Control": text("Caching rules (RFC 9111)", "private, no-cache"),
  "Content-Language": text("Language of the messages: `en` or `pt-BR`", "en"),
  ETag: {
    ...text("Strong entity tag of the record, for `If-Match` and `If-None-Match` (RFC 9110 §8.8.3)"),
    required: true
  },
  "Idempotency-Replayed": {
    description: "`true` if the response is a replay, otherwise absent",
    schema: { type: "string", enum: ["true"] }
  },
  Location: {
    description: "Path of the new record",
    required: true,
    schema: { type: "string", format: "uri-reference" }
  },
  RateLimit: text(
    "Remaining requests (`r`) and seconds until the limit resets (`t`); absent if limits are off",
    `"caller";r=${burst - 1};t=1`
  ),
  "RateLimit-Policy": text(
    "Limit: at most `q` requests in a window of `w` seconds; absent if limits are off",
    `"caller";q=${burst};w=2`
  ),
  "Retry-After": {
    description: "Seconds to wait before a retry",
    schema: { type: "integer", minimum: 1 },
    example: 1
  },
  Vary: text("Request headers that the response depends on", "Authorization, Accept-Language"),
  "WWW-Authenticate": text(
    "Authentication scheme (RFC 6750). The token operation sends it only in reply to HTTP Basic.",
    "Bearer realm=\"lastro\""
  ),
  "X-Request-Id": {
    ...text("Request id: the id that the caller sent, if valid, otherwise a generated one"),
    required: true
  }
} as const satisfies Record<string, JsonObject>

export type HeaderName = keyof typeof headers

/** Returns the references to the header components for the headers of a response. */
export const headersOf = (names: ReadonlyArray<HeaderName>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
