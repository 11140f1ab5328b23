import { type ApiErrorResponse, statusOfCode } from "../api/ApiError.ts"
import { type Described, describeRefusal } from "./describeRefusal.ts"
import { type Language } from "./Language.ts"
import { type Messages } from "./Messages.ts"
import { messagesEn } from "./messagesEn.ts"
import { messagesPtBr } from "./messagesPtBr.ts"
import { type Refusal } from "./Refusal.ts"

/** An answer as it goes onto the wire. Names of headers are in lower case. */
export interface Encoded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or text where `type` says so; undefined where there is none. */
  readonly body: unknown
  /** The media type of a body that is sent as the text it is. */
  readonly type?: string
}

const catalogue: Readonly<Record<Language, Messages>> = { en: messagesEn, "pt-BR": messagesPtBr }

/** Puts a refusal in the error envelope, in the words of a language. */
export const encodeRefusal = (refusal: Refusal, language: Language, request_id: string): Encoded =>
  encodeDescribed(describeRefusal(refusal), language, request_id)

/** The same for a refusal that is described already. */
export const encodeDescribed = (
  { code, details = [], headers = {} }: Described,
  language: Language,
  request_id: string
): Encoded => {
  const { errors, fields } = catalogue[language]
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
