import { Struct } from "effect"
import { kycFields, kycGroups, type KycValues } from "./KycValues.ts"

type Group = keyof typeof kycGroups

/** The fields that stand by themselves. */
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

/** What a chosen way of being paid needs to be told; before one is chosen, only the choice is missing. */
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
 * A KYC is complete when every field was told but the complement of the address, check digits of branch and account, and
 * whichever of PIX and bank account the chosen method of payment does not use; what is missing is named field by field.
 * @rule KYC-01
 */
export const missingFields = (values: KycValues): ReadonlyArray<string> => [
  ...single.filter((field) => values[field] === null),
  ...missingIn(values, "document"),
  ...missingIn(values, "address"),
  ...missingToPay(values)
]

/** Whether nothing is missing. */
export const isComplete = (values: KycValues): boolean => missingFields(values).length === 0
