import { Schema } from "effect"
import { ApiError } from "../api/ApiError.ts"
import { type Language, languages } from "../errors/Language.ts"
import { type Html, html } from "./html.ts"
import { type Visit } from "./Visit.ts"

const LanguageCode = Schema.Literals(languages)

/** An error of the API lists at most 100 problems. */
const ListedError = ApiError.check(Schema.makeFilter(({ details }) => details.length <= 100))

/** The error of a rejected form in every language, and the language in which its numbers are written. */
const Rejection = Schema.Struct({ language: LanguageCode, errors: Schema.Record(LanguageCode, ListedError) })
export type Rejection = typeof Rejection.Type

/** Parses the rejection that a form of {@link languageForm} contains. None if it is absent or malformed. */
export const parseRejection = Schema.decodeUnknownOption(Schema.fromJsonString(Rejection))

const isKept = (name: string): boolean =>
  !["form", "language", "rejection"].includes(name) && !name.endsWith("password")

/**
 * Shows a form that shows a rejected form again in another language. It contains everything that was sent except
 * passwords, which are never sent to a browser.
 */
export const languageForm = (
  { form, refused: { fields, rejection }, words }: Pick<Visit, "form" | "words"> & {
    readonly refused: NonNullable<Visit["refused"]>
  },
  language: Language
): Html => {
  const sent = Object.entries(fields).filter(([name]) => isKept(name))
  const hidden = [...sent, ["form", form], ["rejection", JSON.stringify(rejection)]] as const
  return html`<form method="post">${
    hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  }<button class="link" name="language" value="${language}" lang="${language}">${words.otherLanguage}</button></form>`
}
