import { type ApiErrorResponse } from "../api/ApiError.ts"
import { describeRefusal } from "./describeRefusal.ts"
import { type Language } from "./Language.ts"
import { type Messages } from "./Messages.ts"
import { messagesEn } from "./messagesEn.ts"
import { messagesPtBr } from "./messagesPtBr.ts"
import { type Refusal } from "./Refusal.ts"

/** An answer as it goes onto the wire: a status, headers (names in lower case) and a body that is JSON. */
export interface Encoded {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

const catalogue: Readonly<Record<Language, Messages>> = { en: messagesEn, "pt-BR": messagesPtBr }

/** Puts a refusal in the error envelope, in the words of a language. */
export const encodeRefusal = (refusal: Refusal, language: Language, request_id: string): Encoded => {
  const { code, details = [], headers = {}, status } = describeRefusal(refusal)
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
  return { status, headers: { ...headers, "content-language": language }, body }
}
