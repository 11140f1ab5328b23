import { type TokenRefused } from "@lastro/domain/identity"
import { Record as Rec } from "effect"
import { type ApiErrorCode, type ApiErrorResponse, statusOfCode } from "../api/ApiError.ts"
import { type OAuth2ErrorResponse } from "../api/OAuth2Error.ts"
import { type DescribedRefusal, describeRefusal } from "./describeRefusal.ts"
import { type Language } from "./Language.ts"
import { type Messages, messagesEn } from "./messagesEn.ts"
import { messagesPtBr } from "./messagesPtBr.ts"
import { type Refusal } from "./Refusal.ts"

/** A response that has not been sent. Header names are in lower case. */
export interface Encoded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A JSON value. If `type` is set, a text, bytes or a stream of bytes. Undefined if the response has no body. */
  readonly body: unknown
  /** The media type of a body that is not a JSON value. */
  readonly type?: string
}

const messagesByLanguage: Readonly<Record<Language, Messages>> = { en: messagesEn, "pt-BR": messagesPtBr }

/** A response whose body is the API's error envelope. */
export interface EncodedRefusal extends Encoded {
  readonly body: ApiErrorResponse
}

/** Writes a bound of a range in a message. The API shows bounds in the form in which it accepts them. */
export type WriteBound = (bound: string | number) => string | number

/** Encodes an error as the API's error envelope, with messages in this language. */
export const encodeRefusal = (
  refusal: Refusal,
  language: Language,
  request_id: string,
  writeBound?: WriteBound
): EncodedRefusal => encodeDescribed(describeRefusal(refusal), language, request_id, writeBound)

/** Encodes an error whose code and details are already known, with messages in this language. */
export const encodeDescribed = (
  { code, details = [], headers = {}, reason, unlisted = 0 }: DescribedRefusal,
  language: Language,
  request_id: string,
  writeBound: WriteBound = (bound) => bound
): EncodedRefusal => {
  const { countUnlisted, errors, fields, reasons } = messagesByLanguage[language]
  const message = reason === undefined ? errors[code] : reasons[reason]
  const body: ApiErrorResponse = {
    error: {
      code,
      message: unlisted === 0 ? message : `${message} ${countUnlisted(unlisted)}`,
      request_id,
      details: details.map(({ code, field, params }) => {
        const message = fields[code](code === "OUT_OF_RANGE" ? Rec.map(params ?? {}, writeBound) : params ?? {})
        return params === undefined ? { field, code, message } : { field, code, message, params }
      })
    }
  }
  return { status: statusOfCode[code], headers: { ...headers, "content-language": language }, body }
}

/** Converts an HTTP status to an error code of RFC 6749 §5.2, or of §4.1.2.1 for server errors. */
const oauth2CodeOf = (status: number): OAuth2ErrorResponse["error"] => {
  if (status === 429 || status === 503) return "temporarily_unavailable"
  return status === 500 ? "server_error" : "invalid_request"
}

/**
 * Descriptions that differ from the messages of other operations: token operations also accept forms, and have no
 * record to read after an unknown outcome.
 */
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
  const body: OAuth2ErrorResponse = { error: oauth2CodeOf(status), error_description: oauth2Description(code) }
  return { status, headers, body }
}
