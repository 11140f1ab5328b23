import { type ErrorCodes, type ErrorDetail } from "./types.ts"

/**
 * The codes of failures that the API did not report:
 *
 * - `NETWORK_ERROR`: no response.
 * - `TIMEOUT`: no response in time, or the end of a wait.
 * - `UNEXPECTED_RESPONSE`: a response that is not from the API, for example from a proxy.
 * - `OUTCOME_UNKNOWN`: an earlier attempt may have made the change. Read the record.
 */
export type ClientErrorCode = "NETWORK_ERROR" | "TIMEOUT" | "UNEXPECTED_RESPONSE" | "OUTCOME_UNKNOWN"

/** Every code of a `LastroError`. */
export type ErrorCode = ClientErrorCode | ErrorCodes[keyof ErrorCodes]

/** The fields of a `LastroError` besides its message. */
export interface LastroErrorFields<C extends ErrorCode = ErrorCode> {
  /** The operation that failed. */
  readonly operation: keyof ErrorCodes
  /** A stable code, for programs. */
  readonly code: C
  /** The HTTP status, or 0 without a response. */
  readonly status: number
  /** The problems with the fields of the request. */
  readonly problems: ReadonlyArray<ErrorDetail>
  /** The `X-Request-Id`, which is also in the log of the server. */
  readonly request_id: string
  /** The `Retry-After` of the response in seconds, or null. */
  readonly retry_after: number | null
}

/** A call that failed after all its retries. */
export class LastroError<C extends ErrorCode = ErrorCode> extends Error implements LastroErrorFields<C> {
  readonly _tag = "LastroError"
  override readonly name = "LastroError"
  readonly operation: keyof ErrorCodes
  readonly code: C
  readonly status: number
  readonly problems: ReadonlyArray<ErrorDetail>
  readonly request_id: string
  readonly retry_after: number | null

  /** Makes an error of these fields. */
  constructor(message: string, fields: LastroErrorFields<C>, options?: ErrorOptions) {
    super(message, options)
    this.operation = fields.operation
    this.code = fields.code
    this.status = fields.status
    this.problems = fields.problems
    this.request_id = fields.request_id
    this.retry_after = fields.retry_after
  }
}

/** Returns whether an error is a failure of this operation. The type of its code then lists all possible codes. */
export const isLastroError = <O extends keyof ErrorCodes>(
  error: unknown,
  operation: O
): error is LastroError<ClientErrorCode | ErrorCodes[O]> =>
  error instanceof LastroError && error.operation === operation

const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** Reads the seconds or the HTTP date of a `Retry-After` header (RFC 9110 §10.2.3). Returns seconds, or null. */
export const parseRetryAfter = (header: string | null, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Number(text)
  // An HTTP date starts with a weekday. `Date.parse` also reads texts such as `1.5`, as a day in 2001.
  const at = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1_000)
}

/** Makes the error of an unsuccessful response. `body` is its parsed body, or undefined. */
export const errorOfResponse = (
  operation: keyof ErrorCodes,
  { headers, status }: Pick<Response, "headers" | "status">,
  body: unknown,
  request_id: string
): LastroError => {
  const { error, error_description } = Object(body)
  // In the API, `error` is an object. In the token operations, it is a code (RFC 6749 §5.2).
  const code = textOf(error) ?? textOf(Object(error).code)
  const message = textOf(error_description) ?? textOf(Object(error).message)
  const { details } = Object(error)
  const problems: ReadonlyArray<ErrorDetail> = Array.isArray(details) ? details : []
  const text = [
    message ?? `The response has the status ${status} and is not an error of the API.`,
    ...problems.slice(0, 5).map((problem) => `${problem.field}: ${problem.message}`)
  ].join(" ")
  return new LastroError(text, {
    operation,
    // The type lists the codes of this version. A newer server can have others.
    code: (code ?? "UNEXPECTED_RESPONSE") as ErrorCode,
    status,
    problems,
    request_id: headers.get("x-request-id") ?? request_id,
    retry_after: parseRetryAfter(headers.get("retry-after"), Date.now())
  })
}
