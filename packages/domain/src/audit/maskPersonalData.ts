import { type Schema } from "effect"

/** Fields that hold personal data, by the name they have in every record. Their names are unique to what they hold. */
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
  "complement"
])

/**
 * In the audit, personal data keeps at most its first and last character, and only where at least four lie between:
 * never enough to use it. That it changed is told by AUDIT-02.
 * @rule AUDIT-01
 */
export const maskPersonalData = (value: Schema.Json): Schema.Json => {
  if (Array.isArray(value)) return value.map(maskPersonalData)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      personal.has(key) && typeof inner === "string" ? maskText(inner) : maskPersonalData(inner)
    ])
  )
}

const maskText = (text: string): string => {
  const characters = Array.from(text)
  return characters.length < 6 ? "***" : `${characters[0]}***${characters.at(-1)}`
}
