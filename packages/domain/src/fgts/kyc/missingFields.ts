import { Struct } from "effect"
import { kycFields, kycGroups, type KycValues } from "./KycValues.ts"

type Group = keyof typeof kycGroups

/** The names of the fields that are not groups. */
const single = Struct.keys(kycFields).filter((name) => !Object.hasOwn(kycGroups, name))

const optional: ReadonlySet<string> = new Set(["complement", "agency_digit", "account_digit"])

const required = (group: Group): ReadonlyArray<string> =>
  Object.keys(kycGroups[group]).filter((field) => !optional.has(field))

const requiredIn: Readonly<Record<Group, ReadonlyArray<string>>> = {
  document: required("document"),
  address: required("address"),
  pix: required("pix"),
  bank: required("bank")
}

const missingIn = (values: KycValues, group: Group): ReadonlyArray<string> => {
  const known = Object.entries(values[group] ?? {})
  return requiredIn[group]
    .filter((field) => !known.some(([name, value]) => name === field && value !== null))
    .map((field) => `${group}.${field}`)
}

/**
 * Lists the missing fields of the chosen disbursement method. If no method is chosen, the list is empty, and `missingFields` reports
 * `disbursement_method` instead.
 */
const missingToPay = (values: KycValues): ReadonlyArray<string> => {
  switch (values.disbursement_method) {
    case null:
      return []
    case "PIX":
      return missingIn(values, "pix")
    case "BANK_TRANSFER":
      return missingIn(values, "bank")
  }
}

/**
 * A KYC is complete when all required fields are submitted. The optional fields are the address complement, the check digits of branch and
 * account, and the fields of the disbursement method that was not chosen.
 * @rule KYC-01
 */
export const missingFields = (values: KycValues): ReadonlyArray<string> => [
  ...single.filter((field) => values[field] === null),
  ...missingIn(values, "document"),
  ...missingIn(values, "address"),
  ...missingToPay(values)
]

/** Returns whether no field is missing. */
export const isComplete = (values: KycValues): boolean => missingFields(values).length === 0
