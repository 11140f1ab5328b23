import { defaultRateLimit } from "../../limits/RateLimit.ts"
import { type JsonObject } from "./JsonObject.ts"

const text = (description: string, example: string, required = false): JsonObject => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: "string" },
  example
})

const burst = defaultRateLimit === "off" ? 0 : defaultRateLimit.burst

/** The headers of responses, as components. */
export const headers = {
  Allow: text("The methods that the path has", "GET, PATCH, DELETE", true),
  "Cache-Control": text("Whether the answer may be kept", "private, no-cache"),
  "Content-Language": text("The language of the messages: `en` or `pt-BR`", "en"),
  ETag: text(
    "The state of the record: a strong entity tag, for `If-Match` and `If-None-Match`",
    "\"Yk3vT0m9QdW1bX7fRz2LhA\"",
    true
  ),
  "Idempotency-Replayed": {
    description: "`true` when this is the first answer over again; absent on the first",
    schema: { type: "string", enum: ["true"] },
    example: "true"
  },
  Location: {
    description: "The path of the new record",
    required: true,
    schema: { type: "string", format: "uri-reference" },
    example: "/api/v1/partners/0197f3a2-5b1c-7d3e-8f4a-9b0c1d2e3f40"
  },
  RateLimit: text(
    "What is left (`r`) and seconds until it is whole again (`t`); absent where limits are off",
    `"caller";r=${burst - 1};t=1`
  ),
  "RateLimit-Policy": text(
    "The limit: requests (`q`) in seconds (`w`); absent where limits are off",
    `"caller";q=${burst};w=2`
  ),
  "Retry-After": {
    description: "Seconds to wait before trying again",
    schema: { type: "integer", minimum: 1 },
    example: 1
  },
  Vary: text("The request headers that the answer depends on", "Authorization, Accept-Language"),
  "WWW-Authenticate": text(
    "How to authenticate (RFC 6750); of the token operation only where HTTP Basic was used",
    "Bearer realm=\"lastro\""
  ),
  "X-Request-Id": text(
    "The request's id: the caller's own where it sent a fit one",
    "0197f3a2-9f50-7182-8c8e-3f4051627384",
    true
  )
} as const satisfies Record<string, JsonObject>

/** The name of a header of responses. */
export type HeaderName = keyof typeof headers

/** References to headers, as a response has them. */
export const headersOf = (names: ReadonlyArray<HeaderName>): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
