import { Struct } from "effect"
import { type Language } from "../errors/Language.ts"
import { bodyOf, type Field, numberText } from "./forms.ts"
import { type Fields, type Visit } from "./Visit.ts"
import { type Words } from "./wordsEn.ts"

/** The path of a field that the form for a KYC can show. */
export type KycPath = keyof Words["fields"]["labels"]

/** Returns the kind of a field. Fields with values to choose from are of the kind `choice`. */
export const kindOf = ({ fields }: Words, path: KycPath): Field["kind"] =>
  choicesOf(fields, path) === undefined ? kinds[path] ?? "text" : "choice"

const kinds: Readonly<Partial<Record<KycPath, Field["kind"]>>> = {
  birth_date: "date",
  "document.issued_at": "date",
  email: "email",
  phone: "tel",
  is_pep: "yes-no",
  monthly_income: "decimal"
}

/** Returns the values that a field can have, with their texts. Undefined if it can have any. */
export const choicesOf = (
  { options }: Words["fields"],
  path: KycPath
): Readonly<Record<string, string>> | undefined => {
  const choices: Readonly<Partial<Record<KycPath, Readonly<Record<string, string>>>>> = Struct.omit(options, [
    "cancellation",
    "withdrawal",
    "personType"
  ])
  return choices[path]
}

/** Builds the body that submits a KYC from the fields of the form. */
export const kycBody = (words: Words, language: Language, fields: Fields): Readonly<Record<string, unknown>> =>
  bodyOf(language, Struct.keys(words.fields.labels).map((path) => ({ path, kind: kindOf(words, path) })), fields)

/** Returns the value of a field as the form shows it. Null if it has none. */
export const valueAt = (kyc: unknown, path: string, language: Language = "en"): string | null => {
  let value: unknown = kyc
  for (const name of path.split(".")) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
  }
  if (value === undefined || value === null) return null
  return typeof value === "number" ? numberText(value, language) : String(value)
}

/** Returns the value of a field as people read it. Null if it has none. */
export const textAt = ({ formats, language, words }: Visit, kyc: unknown, path: KycPath): string | null => {
  const [kind, value] = [kindOf(words, path), valueAt(kyc, path, language)]
  if (value === null) return null
  if (kind === "date") return formats.date(value)
  if (kind === "yes-no") return value === "true" ? words.yes : words.no
  return choicesOf(words.fields, path)?.[value] ?? value
}
