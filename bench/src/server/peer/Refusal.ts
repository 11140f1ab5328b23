/** A problem of one field of a request. */
export interface Detail {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly params?: object
}

const refusals = {
  UNAUTHENTICATED: [
    401,
    "The access token is missing or invalid. Send a valid bearer token in the Authorization header."
  ],
  PASSWORD_CHANGE_REQUIRED: [403, "Change your password before you continue."],
  PERMISSION_DENIED: [403, "You do not have permission for this operation."],
  OUTSIDE_HIERARCHY: [403, "This record is outside your hierarchy."],
  NOT_FOUND: [404, "The record or path does not exist."],
  PRECONDITION_FAILED: [
    412,
    "The record has changed since you last read it. Read it again and send If-Match with the new ETag."
  ],
  VALIDATION_FAILED: [422, "The request is invalid. See the details."],
  INTERNAL_ERROR: [500, "An internal error occurred. If it persists, send the request id to support."]
} as const

/** An expected error of a request. */
export class Refusal extends Error {
  readonly code: keyof typeof refusals
  readonly status: number
  readonly details: ReadonlyArray<Detail>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: keyof typeof refusals,
    details: ReadonlyArray<Detail> = [],
    headers: Readonly<Record<string, string>> = {}
  ) {
    const [status, message] = refusals[code]
    super(message)
    this.code = code
    this.status = status
    this.details = details
    this.headers = headers
  }
}

export const missingToken = (): Refusal =>
  new Refusal("UNAUTHENTICATED", [], { "www-authenticate": `Bearer realm="lastro"` })

/** Makes the error for a token that is invalid or no longer valid. */
export const invalidToken = (): Refusal =>
  new Refusal("UNAUTHENTICATED", [], {
    "www-authenticate":
      `Bearer realm="lastro", error="invalid_token", error_description="The access token is invalid, expired or revoked."`
  })
