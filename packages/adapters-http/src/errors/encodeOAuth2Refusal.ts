import { type TokenRefused } from "@lastro/domain/identity"
import { type ApiErrorCode, statusOfCode } from "../api/ApiError.ts"
import { type OAuth2ErrorResponse } from "../api/OAuth2Error.ts"
import { describeRefusal } from "./describeRefusal.ts"
import { type Encoded } from "./encodeRefusal.ts"
import { messagesEn } from "./messagesEn.ts"
import { type Refusal } from "./Refusal.ts"

/** Maps an HTTP status to an error code of RFC 6749 §5.2, or of §4.1.2.1 for server errors. */
const codeOf = (status: number): OAuth2ErrorResponse["error"] =>
  status === 429 || status === 503 ? "temporarily_unavailable" : status === 500 ? "server_error" : "invalid_request"

/** Descriptions that differ from the messages of other operations, because token operations also accept forms. */
const ownDescriptions: Partial<Record<ApiErrorCode, string>> = {
  MALFORMED_JSON: "The request body is malformed or not in UTF-8.",
  UNSUPPORTED_MEDIA_TYPE:
    "Send the body as application/x-www-form-urlencoded or application/json in UTF-8, without Content-Encoding.",
  OUTCOME_UNKNOWN: "The outcome of the request is unknown. Repeat the request. If it is refused, sign in again."
}

/** Returns the `error_description` of a code. */
const oauth2Description = (code: ApiErrorCode): string => ownDescriptions[code] ?? messagesEn.errors[code]

/** Encodes an error of a token operation (RFC 6749 §5.2). The description is always in English. */
export const encodeOAuth2Refusal = (refusal: Refusal | TokenRefused): Encoded => {
  if (refusal._tag === "TokenRefused") {
    const body: OAuth2ErrorResponse = { error: refusal.error, error_description: refusal.description }
    return { status: refusal.error === "invalid_client" ? 401 : 400, headers: {}, body }
  }
  const { code, headers = {} } = describeRefusal(refusal)
  const status = statusOfCode[code]
  const body: OAuth2ErrorResponse = { error: codeOf(status), error_description: oauth2Description(code) }
  return { status, headers, body }
}
