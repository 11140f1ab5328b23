import { type TokenRefused } from "@lastro/domain/identity"
import { Stream } from "effect"
import { type Encoded, encodeOAuth2Refusal, encodeRefusal } from "../errors/encodeRefusal.ts"
import { type Refusal } from "../errors/Refusal.ts"
import { localizeRejections } from "../errors/rejectionMessages.ts"
import { entityTag, ifNoneMatch } from "./conditionalHeaders.ts"
import { type CsvExport } from "./csvExport.ts"
import { type Exchange, isRead, languageOf } from "./Exchange.ts"
import { type Outgoing } from "./RunningRequest.ts"

const isStream = (body: unknown): body is CsvExport["content"] => Stream.isStream(body)

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array

/** Builds the response, with the headers that the pipeline has set. */
export const respond = (exchange: Exchange, { body, headers, status, type }: Encoded): Outgoing => {
  const all: Record<string, string> = { ...exchange.headers, ...headers }
  if (body === undefined) return { status, headers: all, text: undefined }
  if (isStream(body) && type !== undefined) {
    all["content-type"] = type
    return { status, headers: all, text: undefined, stream: body }
  }
  const encoded = type === undefined ? JSON.stringify(body) : body
  const text = isBytes(encoded) ? encoded : String(encoded)
  all["content-type"] = type ?? "application/json"
  all["content-length"] = String(typeof text === "string" ? Buffer.byteLength(text) : text.byteLength)
  return { status, headers: all, text }
}

/** Sets `Cache-Control: private` and `Vary`, because the response depends on the caller and the language. */
export const markPrivate = (headers: Record<string, string>): void => {
  headers["cache-control"] = "private, no-cache"
  headers["vary"] = "Authorization, Accept-Language"
}

/** The response of an operation before it is encoded. */
export interface Answer {
  readonly status: number
  /** The body as a JSON value. Absent if the response has no content. */
  readonly body?: unknown
  /** A CSV file as the body, instead of JSON. */
  readonly csv?: CsvExport
  /** The record from which the `ETag` is computed. */
  readonly tagged?: unknown
  /** The path of the created record, as in the API definition. */
  readonly location?: string
  /** Seconds after which the client should poll again. Set if the status is expected to change. */
  readonly retry_after_seconds?: number
  /** True if the response contains a secret. Its headers then forbid caches to store it. */
  readonly secret?: boolean
  /** True if the response was stored for an earlier request with the same idempotency key. */
  readonly replayed?: boolean
}

/**
 * Encodes the result of an operation as a response. It is 304 if the request is GET or HEAD and the caller already has
 * the record.
 */
export const encodeAnswer = (exchange: Exchange, answer: Answer): Encoded => {
  const { basePath, headers, request } = exchange
  const { csv, status } = answer
  if (csv !== undefined) return { status, headers: csv.headers, body: csv.content, type: csv.type }
  const language = languageOf(exchange)
  const body = localizeRejections(answer.body, language)
  if (answer.replayed === true) headers["idempotency-replayed"] = "true"
  if (answer.secret === true) headers["cache-control"] = "no-store"
  if (answer.location !== undefined) headers["location"] = `${basePath}${answer.location}`
  if (answer.retry_after_seconds !== undefined) headers["retry-after"] = String(answer.retry_after_seconds)
  if (answer.tagged === undefined) return { status, headers: {}, body }
  // The language changes the body, and so the `ETag` (RFC 9110 §8.8.3).
  const tag = entityTag(localizeRejections(answer.tagged, language))
  headers["etag"] = tag
  return isRead(request) && ifNoneMatch(request.headers["if-none-match"], tag)
    ? { status: 304, headers: {}, body: undefined }
    : { status, headers: {}, body }
}

/** Encodes an error in the API's error envelope, in the language that `Accept-Language` prefers. */
export const encodeEnvelope = (refusal: Refusal, exchange: Exchange): Encoded => {
  exchange.headers["vary"] ??= "Accept-Language"
  return encodeRefusal(refusal, languageOf(exchange), exchange.request_id)
}

/** Headers of every token response. They forbid caches to store it (RFC 6749 §5.1). */
export const uncached = { "cache-control": "no-store", pragma: "no-cache" }

const basicChallenge = "Basic realm=\"lastro\", charset=\"UTF-8\""

/**
 * Encodes an error of a token operation (RFC 6749 §5.2). Adds a `WWW-Authenticate` header if the client sent an
 * `Authorization` header.
 */
export const encodeOAuth2 = (refusal: Refusal | TokenRefused, { request }: Exchange): Encoded => {
  const encoded = encodeOAuth2Refusal(refusal)
  const challenged = encoded.status === 401 && request.headers["authorization"] !== undefined
  return {
    ...encoded,
    headers: { ...uncached, ...encoded.headers, ...(challenged ? { "www-authenticate": basicChallenge } : {}) }
  }
}
