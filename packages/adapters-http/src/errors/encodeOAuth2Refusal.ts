import { type TokenRefused } from "@lastro/domain"
import { type OAuth2ErrorResponse } from "../api/OAuth2Error.ts"
import { describeRefusal } from "./describeRefusal.ts"
import { type Encoded } from "./encodeRefusal.ts"
import { messagesEn } from "./messagesEn.ts"
import { type Refusal } from "./Refusal.ts"

/** The code of RFC 6749 §5.2 (§4.1.2.1 for a server in trouble) that stands for a status of HTTP. */
const codeOf = (status: number): OAuth2ErrorResponse["error"] =>
  status === 429 || status === 503 ? "temporarily_unavailable" : status === 500 ? "server_error" : "invalid_request"

/** Puts a refusal of the token operations in the form of RFC 6749 §5.2, which is read by programs and always English. */
export const encodeOAuth2Refusal = (refusal: Refusal | TokenRefused): Encoded => {
  if (refusal._tag === "TokenRefused") {
    const body: OAuth2ErrorResponse = { error: refusal.error, error_description: refusal.description }
    return { status: refusal.error === "invalid_client" ? 401 : 400, headers: {}, body }
  }
  const { code, headers = {}, status } = describeRefusal(refusal)
  const body: OAuth2ErrorResponse = { error: codeOf(status), error_description: messagesEn.errors[code] }
  return { status, headers, body }
}
