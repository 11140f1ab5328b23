/** A response without its body. */
export interface ResponseMetadata {
  readonly status: number
  /** The ETag of the record, or null. */
  readonly etag: string | null
  /** The `X-Request-Id`. */
  readonly request_id: string
  /** True if the response repeats that of an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean
  readonly headers: Headers
}

const stored = new WeakMap<object, ResponseMetadata>()

/** Stores the metadata of an answer. */
export const rememberResponse = (answer: object, { headers, status }: Response, request_id: string): void => {
  stored.set(answer, {
    status,
    etag: headers.get("etag"),
    request_id: headers.get("x-request-id") ?? request_id,
    replayed: headers.get("idempotency-replayed") === "true",
    headers
  })
}

/**
 * Returns the status, the ETag and the headers of an answer. Throws a `TypeError` for any other object, even for a
 * copy.
 */
export const responseOf = (answer: object): ResponseMetadata => {
  const metadata = stored.get(answer)
  if (metadata === undefined) throw new TypeError("This object is not an answer of the client. Pass the answer itself.")
  return metadata
}

/** Returns the ETag of an answer. Throws a `TypeError` if it has none. */
export const etagOf = (answer: object | string): string => {
  const etag = typeof answer === "string" ? answer : responseOf(answer).etag
  if (etag === null) throw new TypeError("This answer has no ETag. Pass the answer of a call that reads the record.")
  return etag
}
