import { type Schema } from "effect"
import { isJsonObject } from "../input/json.ts"

/**
 * Text fields with personal data, in any record. A masked text shows its first and last character, if it is long
 * enough.
 */
const personal = new Set([
  "name",
  "email",
  "phone",
  "agency",
  "agency_digit",
  "account_number",
  "account_digit",
  "zipcode",
  "city",
  "district",
  "neighborhood",
  "street",
  "complement",
  "birth_date",
  "mother_name",
  "spouse_name",
  "profession",
  "nationality",
  "issuer",
  "issued_at",
  "ip",
  "user_agent",
  "signature_url"
])

/**
 * Fields whose texts are hidden completely. A part of a document or PIX key, or a rare value, could identify a person
 * together with other data. A text in `number` is a house number or a document number. A number in `number` is a count,
 * and is not hidden.
 */
const hiddenTexts = new Set([
  "cpf",
  "document_number",
  "number",
  "key",
  "gender",
  "civil_status",
  "uf",
  "cancellation_note"
])

/** Sensitive fields. Their values are hidden completely, whatever their type. */
const sensitive = new Set(["is_pep", "monthly_income", "education", "documents"])

/**
 * The audit masks personal data (identity, address, contact, payment account, signature).
 *
 * - A text of six or more characters shows its first and its last character. A shorter text is masked completely.
 * - Documents, PIX keys, gender, civil status, state and notes are hidden completely. So are `is_pep`,
 *   `monthly_income`, `education`, `documents` and the kind of an identity document.
 * - Each value of `metadata` is hidden, because it can contain anything.
 * - Changes of masked fields are still listed (AUDIT-02). A masked value stays the same when it is masked again.
 * @rule AUDIT-01
 */
export const maskPersonalData = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(maskPersonalData)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskField(key, inner)]))
}

const hidden = "***"

const maskField = (key: string, value: Schema.Json): Schema.Json => {
  if (typeof value === "string" && personal.has(key)) return maskText(value)
  if (typeof value === "string" && hiddenTexts.has(key)) return hidden
  if (value !== null && sensitive.has(key)) return hidden
  if (key === "metadata" && isJsonObject(value)) {
    return Object.fromEntries(Object.keys(value).map((name) => [name, hidden]))
  }
  const masked = maskPersonalData(value)
  return key === "document" && isJsonObject(masked) && typeof masked["type"] === "string"
    ? { ...masked, type: hidden }
    : masked
}

const alreadyMasked = /^.\*{3}.$/su

const maskText = (text: string): string => {
  if (alreadyMasked.test(text)) return text
  const characters = Array.from(text)
  return characters.length < 6 ? hidden : `${characters[0]}***${characters.at(-1)}`
}
