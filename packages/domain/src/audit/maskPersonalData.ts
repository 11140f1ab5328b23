import { type Schema } from "effect"

/**
 * Names of text fields that contain personal data, in any record. A text field `number` is a house number or a document
 * number; numeric fields with this name are counts and are not masked. Fields with few possible values (gender, civil
 * status, state, kind of document) are omitted, because they do not identify a person.
 */
const personal = new Set([
  "name",
  "email",
  "phone",
  "cpf",
  "document_number",
  "key",
  "agency",
  "agency_digit",
  "account_number",
  "account_digit",
  "zipcode",
  "city",
  "district",
  "neighborhood",
  "street",
  "number",
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

/** Names of sensitive fields. Their values are hidden entirely, whatever their type. */
const sensitive = new Set(["is_pep", "monthly_income", "education", "documents"])

/**
 * The audit masks personal data (identity, address, contact, payment account, signature). A masked text of six or more
 * characters shows its first and its last character. A shorter text is masked completely. The values of `is_pep`,
 * `monthly_income`, `education` and `documents` are hidden entirely, and so is each value of `metadata`, which can
 * contain anything. Changes of masked fields are still listed (AUDIT-02).
 * @rule AUDIT-01
 */
export const maskPersonalData = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(maskPersonalData)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      personal.has(key) && typeof inner === "string"
        ? maskText(inner)
        : key === "metadata" && inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.keys(inner).map((name) => [name, hidden]))
        : sensitive.has(key) && inner !== null
        ? hidden
        : maskPersonalData(inner)
    ])
  )
}

const hidden = "***"

const maskText = (text: string): string => {
  const characters = Array.from(text)
  return characters.length < 6 ? hidden : `${characters[0]}***${characters.at(-1)}`
}
