import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { entityTag, ifNoneMatch } from "./entityTag.ts"
import { type Exchange } from "./Exchange.ts"
import { type Answer } from "./Operation.ts"

/** What every answer carries: it is what it says it is, and no page of another origin embeds or reads it. */
export const always = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin"
}

/** Puts an encoded answer on the wire, with the headers of its exchange. */
export const respond = (
  exchange: Exchange,
  { body, headers, status, type }: Encoded
): HttpServerResponse.HttpServerResponse => {
  const all = { ...always, "x-request-id": exchange.request_id, ...exchange.headers, ...headers }
  return body === undefined
    ? HttpServerResponse.empty({ status, headers: all })
    : type === undefined
    ? HttpServerResponse.text(JSON.stringify(body), { status, headers: all, contentType: "application/json" })
    : HttpServerResponse.text(String(body), { status, headers: all, contentType: type })
}

/** Says that an answer is one caller's, and in one language: caches of others may not keep it. */
export const personal = (headers: Record<string, string>): void => {
  headers["cache-control"] = "private, no-cache"
  headers["vary"] = "Authorization, Accept-Language"
}

/** Whether a request only reads. */
export const reads = ({ method }: Pick<HttpServerRequest.HttpServerRequest, "method">): boolean =>
  method === "GET" || method === "HEAD"

/** Encodes what an operation answered; a GET whose caller has the record already is answered 304. */
export const encodeAnswer = ({ basePath, headers, request }: Exchange, answer: Answer): Encoded => {
  if (answer.secret === true) headers["cache-control"] = "no-store"
  if (answer.location !== undefined) headers["location"] = `${basePath}${answer.location}`
  if (answer.retry_after_seconds !== undefined) headers["retry-after"] = String(answer.retry_after_seconds)
  if (answer.tagged === undefined) return { status: answer.status, headers: {}, body: answer.body }
  const tag = entityTag(answer.tagged)
  headers["etag"] = tag
  return reads(request) && ifNoneMatch(request.headers["if-none-match"], tag)
    ? { status: 304, headers: {}, body: undefined }
    : { status: answer.status, headers: {}, body: answer.body }
}
