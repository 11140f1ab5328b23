import { type ApiErrorResponse, statusOfCode } from "../api/ApiError.ts"
import { type DescribedRefusal, describeRefusal } from "./describeRefusal.ts"
import { type Language } from "./Language.ts"
import { type Messages, messagesEn } from "./messagesEn.ts"
import { messagesPtBr } from "./messagesPtBr.ts"
import { type Refusal } from "./Refusal.ts"

/** A response that has not been sent. Header names are in lower case. */
export interface Encoded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A JSON value, or a text if `type` is set. Undefined if the response has no body. */
  readonly body: unknown
  /** The media type of a text body. */
  readonly type?: string
}

const messagesByLanguage: Readonly<Record<Language, Messages>> = { en: messagesEn, "pt-BR": messagesPtBr }

/** A response whose body is the API's error envelope. */
interface EncodedRefusal extends Encoded {
  readonly body: ApiErrorResponse
}

/** Encodes an error as the API's error envelope, with messages in this language. */
export const encodeRefusal = (refusal: Refusal, language: Language, request_id: string): EncodedRefusal =>
  encodeDescribed(describeRefusal(refusal), language, request_id)

/** Encodes an error whose code and details are already known, with messages in this language. */
export const encodeDescribed = (
  { code, details = [], headers = {}, reason, unlisted = 0 }: DescribedRefusal,
  language: Language,
  request_id: string
): EncodedRefusal => {
  const { countUnlisted, errors, fields, reasons } = messagesByLanguage[language]
  const message = reason === undefined ? errors[code] : reasons[reason]
  const body: ApiErrorResponse = {
    error: {
      code,
      message: unlisted === 0 ? message : `${message} ${countUnlisted(unlisted)}`,
      request_id,
      details: details.map(({ code, field, params }) => {
        const message = fields[code](params ?? {})
        return params === undefined ? { field, code, message } : { field, code, message, params }
      })
    }
  }
  return { status: statusOfCode[code], headers: { ...headers, "content-language": language }, body }
}
