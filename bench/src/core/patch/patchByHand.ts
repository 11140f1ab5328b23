import { type PartnerDetail } from "@lastro/domain"
import { accepted, type Answer, refused } from "../Answer.ts"
import { email, phone, type ReadText, state, text, zipcode } from "./fieldsByHand.ts"
import { type Problems } from "./Problems.ts"

type Fields = Record<string, unknown>

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const name = text(2, 120)
const short = text(1, 100)

const partnerFields: Readonly<Record<string, ReadText>> = { name, email, phone }

const addressFields: Readonly<Record<string, ReadText>> = {
  zipcode,
  uf: state,
  city: short,
  district: short,
  neighborhood: short,
  street: text(1, 200),
  number: text(1, 20),
  complement: short
}

const clearable = new Set(["district", "complement"])

const patchPartnerGroup = (stored: PartnerDetail, body: unknown, problems: Problems): Fields => {
  const changed: Fields = {}
  if (!isRecord(body)) {
    problems.push({ field: "partner", code: body === null ? "NOT_NULLABLE" : "INVALID_TYPE" })
    return changed
  }
  for (const [key, value] of Object.entries(body)) {
    const field = `partner.${key}`
    const read = Object.hasOwn(partnerFields, key) ? partnerFields[key] : undefined
    if (key === "document_number" || key === "type") {
      const same = key === "type" ? stored.person_type : stored.document_number
      if (value === null) problems.push({ field, code: "NOT_NULLABLE" })
      else if (typeof value !== "string") problems.push({ field, code: "INVALID_TYPE" })
      else if (value.replace(/[./ -]/g, "") !== same) problems.push({ field, code: "IMMUTABLE" })
    } else if (read === undefined) problems.push({ field, code: "UNKNOWN_FIELD" })
    else if (value === null) problems.push({ field, code: "NOT_NULLABLE" })
    else if (typeof value !== "string") problems.push({ field, code: "INVALID_TYPE" })
    else changed[key] = read(value, field, problems)
  }
  return changed
}

const patchAddress = (stored: PartnerDetail["address"], body: unknown, problems: Problems): unknown => {
  if (body === null) return null
  if (!isRecord(body)) {
    problems.push({ field: "address", code: "INVALID_TYPE" })
    return stored
  }
  const merged: Fields = { ...stored }
  for (const [key, value] of Object.entries(body)) {
    const field = `address.${key}`
    const read = Object.hasOwn(addressFields, key) ? addressFields[key] : undefined
    if (read === undefined) problems.push({ field, code: "UNKNOWN_FIELD" })
    else if (value === null && clearable.has(key)) merged[key] = null
    else if (value === null) problems.push({ field, code: "NOT_NULLABLE" })
    else if (typeof value !== "string") problems.push({ field, code: "INVALID_TYPE" })
    else merged[key] = read(value, field, problems)
  }
  for (const key of Object.keys(addressFields)) {
    if (Object.hasOwn(merged, key)) continue
    if (clearable.has(key)) merged[key] = null
    else problems.push({ field: `address.${key}`, code: "REQUIRED" })
  }
  return merged
}

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (!isRecord(one) || !isRecord(other)) return false
  return Object.keys({ ...one, ...other }).every((key) => isSame(one[key], other[key]))
}

/**
 * Patches name, addresses of all kinds and telephone of a partner as one would write it at first: a branch for each group, a
 * reader for each field. Of payment it can only clear what is stored; it knows no other partners.
 */
export const patchByHand = (
  stored: PartnerDetail,
  body: unknown
): Answer<{ readonly next: unknown; readonly changed: boolean }, { readonly problems: Problems }> => {
  if (!isRecord(body)) {
    return refused({ problems: [{ field: "", code: body === null ? "NOT_NULLABLE" : "INVALID_TYPE" }] })
  }
  const problems: Problems = []
  const changed: Fields = {}
  for (const [key, value] of Object.entries(body)) {
    if (key === "partner") Object.assign(changed, patchPartnerGroup(stored, value, problems))
    else if (key === "address") changed[key] = patchAddress(stored.address, value, problems)
    else if ((key === "pix" || key === "bank_account") && value === null) changed[key] = null
    else problems.push({ field: key, code: "UNKNOWN_FIELD" })
  }
  if (problems.length > 0) return refused({ problems })
  const next = { ...stored, ...changed }
  return accepted({ next, changed: !isSame(stored, next) })
}
