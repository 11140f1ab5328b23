import { type Partner } from "./partners.ts"
import { type Detail, Refusal } from "./Refusal.ts"

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** The format of a field. `optional`: the field may be null. */
type Field = readonly [RegExp, "optional"?]

const text = (most: number): RegExp => new RegExp(`^[^\\p{Cc}]{1,${most}}$`, "u")

const groups: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  partner: {
    type: [/^p[fj]$/],
    name: [/^[^\p{Cc}]{2,120}$/u],
    email: [/^[^\s@"(),:;<>[\\\]]{1,64}@[^\s@"(),:;<>[\\\]]{1,189}$/],
    phone: [/^[1-9]{2}(?:\d{8}|9\d{8})$/],
    document_number: [/^[0-9A-Z]{11,14}$/],
    parent_uuid: [/^[0-9a-f-]{36}$/i, "optional"]
  },
  pix: { key: [text(77)], type: [/^(?:CPF|CNPJ|EMAIL|PHONE|EVP)$/] },
  address: {
    zipcode: [/^\d{8}$/],
    uf: [/^[A-Z]{2}$/],
    city: [text(100)],
    district: [text(100), "optional"],
    neighborhood: [text(100)],
    street: [text(200)],
    number: [text(20)],
    complement: [text(100), "optional"]
  },
  bank_account: {
    type: [/^(?:CC|CP|CS|PG)$/],
    agency: [/^\d{1,4}$/],
    bank_code: [/^(?:\d{3}|\d{8})$/],
    agency_digit: [/^[0-9X]$/, "optional"],
    account_number: [/^\d{1,20}$/],
    account_digit: [/^[0-9X]$/, "optional"]
  }
}

/** Returns whether a value is a JSON object. */
export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const problem = (field: string, code: string, message: string): Detail => ({ field, code, message })

/** Merges a nested object field by field, and validates all fields of the result. */
const mergeGroup = (name: string, stored: Json | null, sent: Json, problems: Array<Detail>): Json => {
  const fields = groups[name] ?? {}
  for (const field of Object.keys(sent)) {
    if (!Object.hasOwn(fields, field)) {
      problems.push(problem(`${name}.${field}`, "UNKNOWN_FIELD", "This field does not exist."))
    }
  }
  return Object.fromEntries(
    Object.entries(fields).map(([field, [shape, optional]]) => {
      const path = `${name}.${field}`
      const given = sent[field] === undefined ? stored?.[field] : sent[field]
      const value = typeof given === "string" ? given.trim().normalize("NFC") : given ?? null
      if (value === null && given === undefined && optional === undefined) {
        problems.push(problem(path, "REQUIRED", "This field is required."))
      } else if (value === null && optional === undefined) {
        problems.push(problem(path, "NOT_NULLABLE", "This field cannot be null."))
      } else if (value !== null && typeof value !== "string") {
        problems.push(problem(path, "INVALID_TYPE", "The value must be of type string."))
      } else if (value !== null && sent[field] !== undefined && !shape.test(value)) {
        problems.push(problem(path, "INVALID_FORMAT", "The value has an invalid format."))
      }
      return [field, value]
    })
  )
}

/** Applies a merge patch to a partner. Moves are not supported. */
export const patched = (stored: Partner, body: unknown): Partner => {
  const problems: Array<Detail> = []
  if (!isRecord(body)) {
    throw new Refusal("VALIDATION_FAILED", [problem("", "INVALID_TYPE", "The value must be of type object.")])
  }
  const before: Readonly<Record<string, Json | null>> = {
    partner: {
      type: stored.person_type,
      name: stored.name,
      email: stored.email,
      phone: stored.phone,
      document_number: stored.document_number,
      parent_uuid: stored.parent_id
    },
    pix: stored.pix,
    address: stored.address,
    bank_account: stored.bank_account
  }
  const after = { ...before }
  for (const [name, sent] of Object.entries(body)) {
    const group = before[name]
    if (group === undefined) problems.push(problem(name, "UNKNOWN_FIELD", "This field does not exist."))
    else if (sent === null && name !== "partner") after[name] = null
    else if (!isRecord(sent)) problems.push(problem(name, "INVALID_TYPE", "The value must be of type object."))
    else after[name] = Object.keys(sent).length === 0 ? group : mergeGroup(name, group, sent, problems)
  }
  const { address = null, bank_account = null, partner, pix = null } = after
  for (const field of ["type", "document_number", "parent_uuid"]) {
    if (partner?.[field] !== before["partner"]?.[field]) {
      problems.push(problem(`partner.${field}`, "IMMUTABLE", "This field cannot be changed."))
    }
  }
  if (problems.length > 0) throw new Refusal("VALIDATION_FAILED", problems)
  return {
    ...stored,
    name: String(partner?.["name"]),
    email: String(partner?.["email"]),
    phone: String(partner?.["phone"]),
    pix,
    address,
    bank_account
  }
}
