import { type Encoded } from "../errors/encodeRefusal.ts"
import { type Language } from "../errors/Language.ts"
import { localizeRejections } from "../errors/rejectionMessages.ts"
import { entityTag, ifNoneMatch } from "./entityTag.ts"
import { type Exchange, languageOf } from "./Exchange.ts"
import { type Incoming } from "./Incoming.ts"
import { type Answer } from "./Operation.ts"

/** Headers of every response. They disable content sniffing and embedding by other origins. */
export const commonHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin"
}

/** The response to a request, before a server sends it. */
export interface Outgoing {
  readonly status: number
  /** Header values by lower-case name. */
  readonly headers: Record<string, string>
  /** Undefined if the response has no body. A response to HEAD has the text, but only its headers are sent. */
  readonly text: string | undefined
}

/** Makes the response, and adds the headers that the pipeline has set. */
export const respond = (exchange: Exchange, { body, headers, status, type }: Encoded): Outgoing => {
  const all: Record<string, string> = Object.assign(
    { ...commonHeaders, "x-request-id": exchange.request_id },
    exchange.headers,
    headers
  )
  if (body === undefined) return { status, headers: all, text: undefined }
  const text = type === undefined ? JSON.stringify(body) : String(body)
  all["content-type"] = type ?? "application/json"
  all["content-length"] = String(Buffer.byteLength(text))
  return { status, headers: all, text }
}

/** Sets `Cache-Control: private` and `Vary`, because the response depends on the caller and the language. */
export const markPrivate = (headers: Record<string, string>): void => {
  headers["cache-control"] = "private, no-cache"
  headers["vary"] = "Authorization, Accept-Language"
}

/** Returns whether a request is GET or HEAD. */
export const isRead = ({ method }: Pick<Incoming, "method">): boolean => method === "GET" || method === "HEAD"

/**
 * Translates the messages of rejections in a response. The language changes the body, so it changes the `ETag` too (RFC
 * 9110 §8.8.3).
 */
const localizeAnswer = (answer: Answer, language: Language): Answer =>
  language === "en" ? answer : {
    ...answer,
    ...(answer.body === undefined ? {} : { body: localizeRejections(answer.body, language) }),
    ...(answer.tagged === undefined ? {} : { tagged: localizeRejections(answer.tagged, language) })
  }

/**
 * Encodes the result of an operation as a response. The response is 304 if the request is GET or HEAD and the caller
 * already has the record.
 */
export const encodeAnswer = (exchange: Exchange, found: Answer): Encoded => {
  const { basePath, headers, request } = exchange
  const answer = localizeAnswer(found, languageOf(exchange))
  if (answer.replayed === true) headers["idempotency-replayed"] = "true"
  if (answer.secret === true) headers["cache-control"] = "no-store"
  if (answer.location !== undefined) headers["location"] = `${basePath}${answer.location}`
  if (answer.retry_after_seconds !== undefined) headers["retry-after"] = String(answer.retry_after_seconds)
  if (answer.tagged === undefined) return { status: answer.status, headers: {}, body: answer.body }
  const tag = entityTag(answer.tagged)
  headers["etag"] = tag
  return isRead(request) && ifNoneMatch(request.headers["if-none-match"], tag)
    ? { status: 304, headers: {}, body: undefined }
    : { status: answer.status, headers: {}, body: answer.body }
}
