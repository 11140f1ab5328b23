import { randomBytes } from "node:crypto"

type Json = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** The names of fields with personal data. */
const personal = new Set(
  ("name email phone cpf document_number key agency agency_digit account_number account_digit zipcode city district " +
    "neighborhood street number complement birth_date").split(" ")
)

const maskText = (text: string): string => {
  const characters = Array.from(text)
  return characters.length < 6 ? "***" : `${characters[0]}***${characters.at(-1)}`
}

/** Masks the personal data of a record. */
export const mask = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(mask)
    : !isRecord(value)
    ? value
    : Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        personal.has(key) && typeof inner === "string" ? maskText(inner) : mask(inner)
      ])
    )

/** Lists the paths of the fields that differ between two records. */
export const changedFields = (before: Json, after: Json): ReadonlyArray<string> =>
  Object.keys(after).flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (one === other) return []
    if (!isRecord(one) || !isRecord(other)) return JSON.stringify(one) === JSON.stringify(other) ? [] : [name]
    return changedFields(one, other).map((path) => `${name}.${path}`)
  })

/** Generates a UUID of version 7 (RFC 9562). */
export const uuidv7 = (): string => {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
