import { type TokenRefused } from "@lastro/domain"
import { type ApiErrorCode, statusOfCode } from "../api/ApiError.ts"
import { type OAuth2ErrorResponse } from "../api/OAuth2Error.ts"
import { describeRefusal } from "./describeRefusal.ts"
import { type Encoded } from "./encodeRefusal.ts"
import { messagesEn } from "./messagesEn.ts"
import { type Refusal } from "./Refusal.ts"

/** The code of RFC 6749 §5.2 (§4.1.2.1 for a server in trouble) that stands for a status of HTTP. */
const codeOf = (status: number): OAuth2ErrorResponse["error"] =>
  status === 429 || status === 503 ? "temporarily_unavailable" : status === 500 ? "server_error" : "invalid_request"

/** Where the words of the other operations would be wrong: a form is read here too, and is what clients should send. */
const own: Partial<Record<ApiErrorCode, string>> = {
  MALFORMED_JSON: "The body is not well-formed, or not in UTF-8.",
  UNSUPPORTED_MEDIA_TYPE:
    "The body has to be application/x-www-form-urlencoded, or application/json, in UTF-8, without a content encoding."
}

/** What a token operation says about a code. */
const oauth2Description = (code: ApiErrorCode): string => own[code] ?? messagesEn.errors[code]

/** Puts a refusal of the token operations in the form of RFC 6749 §5.2, which is read by programs and always English. */
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
