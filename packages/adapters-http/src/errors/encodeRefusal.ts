import { type ApiErrorResponse, statusOfCode } from "../api/ApiError.ts"
import { type DescribedRefusal, describeRefusal } from "./describeRefusal.ts"
import { type Language } from "./Language.ts"
import { type Messages, messagesEn } from "./messagesEn.ts"
import { messagesPtBr } from "./messagesPtBr.ts"
import { type Refusal } from "./Refusal.ts"

/** A response before it is written. Header names are in lower case. */
export interface Encoded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A JSON value, or text if `type` is set; undefined for no body. */
  readonly body: unknown
  /** The media type of a text body. */
  readonly type?: string
}

const messagesByLanguage: Readonly<Record<Language, Messages>> = { en: messagesEn, "pt-BR": messagesPtBr }

/** Encodes a refusal as an error envelope, in a language. */
export const encodeRefusal = (refusal: Refusal, language: Language, request_id: string): Encoded =>
  encodeDescribed(describeRefusal(refusal), language, request_id)

/** Encodes a described refusal as an error envelope, in a language. */
export const encodeDescribed = (
  { code, details = [], headers = {} }: DescribedRefusal,
  language: Language,
  request_id: string
): Encoded => {
  const { errors, fields } = messagesByLanguage[language]
  const body: ApiErrorResponse = {
    error: {
      code,
      message: errors[code],
      request_id,
      details: details.map(({ code, field, params }) => {
        const message = fields[code](params ?? {})
        return params === undefined ? { field, code, message } : { field, code, message, params }
      })
    }
  }
  return { status: statusOfCode[code], headers: { ...headers, "content-language": language }, body }
}
