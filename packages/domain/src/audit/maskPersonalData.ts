import { type Schema } from "effect"

/**
 * Names of text fields with personal data, in any record. `number` is the number of a house or of a document; numeric counts of the
 * same name are not text and stay. Fields with few possible values (gender, civil status, state, kind of document) identify nobody.
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
  "nationality",
  "issuer",
  "issued_at",
  "ip",
  "user_agent",
  "signature_url"
])

/** Names of sensitive fields of any type, masked whole. */
const sensitive = new Set(["is_pep"])

/**
 * The audit masks personal data (identity, address, contact, payment account, signature). A masked text shows its first and last
 * character if it has at least six characters, and nothing otherwise. `is_pep` is masked whole. AUDIT-02 still lists masked changes.
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
