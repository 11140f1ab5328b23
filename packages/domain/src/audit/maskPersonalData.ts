import { type Schema } from "effect"

/**
 * Names of text fields that contain personal data, in any record. A masked text shows its first and its last character,
 * if it is long enough.
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
 * Names of fields whose texts are hidden entirely. Characters of a document or a PIX key, or a value that few people
 * share with others, would narrow the search for a person when combined with other sources. A text field `number` is a
 * house number or a document number; numeric fields with this name are counts and are not hidden.
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

/** Names of sensitive fields. Their values are hidden entirely, whatever their type. */
const sensitive = new Set(["is_pep", "monthly_income", "education", "documents"])

/**
 * The audit masks personal data (identity, address, contact, payment account, signature). A masked text of six or more
 * characters shows its first and its last character. A shorter text is masked completely. Documents, PIX keys, gender,
 * civil status, state and notes are hidden entirely. So are the values of `is_pep`, `monthly_income`, `education` and
 * `documents`, the kind of an identity document, and each value of `metadata`, which can contain anything. Changes of
 * masked fields are still listed (AUDIT-02). A value that is already masked stays the same.
 * @rule AUDIT-01
 */
export const maskPersonalData = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(maskPersonalData)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskField(key, inner)]))
}

const hidden = "***"

const isRecord = (value: Schema.Json): value is Schema.JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value)

const maskField = (key: string, value: Schema.Json): Schema.Json => {
  if (typeof value === "string" && personal.has(key)) return maskText(value)
  if (sensitive.has(key) ? value !== null : typeof value === "string" && hiddenTexts.has(key)) return hidden
  if (key === "metadata" && isRecord(value)) {
    return Object.fromEntries(Object.keys(value).map((name) => [name, hidden]))
  }
  const masked = maskPersonalData(value)
  return key === "document" && isRecord(masked) && typeof masked["type"] === "string"
    ? { ...masked, type: hidden }
    : masked
}

const alreadyMasked = /^.\*{3}.$/su

const maskText = (text: string): string => {
  if (alreadyMasked.test(text)) return text
  const characters = Array.from(text)
  return characters.length < 6 ? hidden : `${characters[0]}***${characters.at(-1)}`
}
