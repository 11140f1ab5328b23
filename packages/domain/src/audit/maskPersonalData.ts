import { type Schema } from "effect"

/**
 * Fields that hold personal data, by the name they have in every record, where they hold text: `number` is that of a house or
 * of a document, or a count. What is one of a few values (gender, civil status, state, kind of document) tells nobody apart.
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

/** What is sensitive whatever its value: yes and no are both hidden. */
const sensitive = new Set(["is_pep"])

/**
 * In the audit, personal data (who somebody is, where they live, how to reach and to pay them, what they signed and from where)
 * keeps at most its first and last character, and only where at least four lie between: never enough to use it. Whether somebody
 * is politically exposed is hidden whole. That it changed is told by AUDIT-02.
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
