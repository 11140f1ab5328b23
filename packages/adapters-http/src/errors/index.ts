// Failures of use cases as HTTP responses, for a host with routes of its own.
import { type ApiErrorResponse } from "../api/ApiError.ts"
import { encodeRefusal } from "./encodeRefusal.ts"
import { preferredLanguage } from "./Language.ts"
import { type Refusal } from "./Refusal.ts"

/** Every failure of a use case that has an HTTP response, and every failure of the HTTP layer. */
export type ApiFailure = Refusal

/** The response to a failed request. Header names are in lower case. */
export interface ErrorResponse {
  readonly status: number
  /** Includes `retry-after` if a retry may succeed, `www-authenticate` with 401, and `content-language`. */
  readonly headers: Readonly<Record<string, string>>
  /** The error envelope of the API: the property `error` with `code`, `message`, `request_id` and `details`. */
  readonly body: ApiErrorResponse
}

/** The request id and the language of a response to a failure. */
export interface ErrorResponseOptions {
  /** The id of the request. The envelope contains it. */
  readonly request_id: string
  /**
   * The `Accept-Language` header of the request. Messages are in English if it is absent or does not prefer Brazilian
   * Portuguese.
   */
  readonly accept_language?: string | undefined
}

/**
 * Returns the response of Lastro's API for a failure of a use case: status, headers and error envelope. A host that
 * calls use cases from its own routes can respond like the API. The body omits fields that are only for logs, such as
 * the reason of `Unauthenticated`.
 */
export const errorResponse = (
  failure: ApiFailure,
  { accept_language, request_id }: ErrorResponseOptions
): ErrorResponse => {
  const { body, headers, status } = encodeRefusal(failure, preferredLanguage(accept_language), request_id)
  return { status, headers, body }
}
