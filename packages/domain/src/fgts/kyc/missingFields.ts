import { FgtsKycAddress, FgtsKycBank, KycDocument, KycPix, type KycValues } from "./KycValues.ts"

const scalars = [
  "name",
  "cpf",
  "birth_date",
  "gender",
  "civil_status",
  "mother_name",
  "nationality",
  "email",
  "phone",
  "is_pep",
  "disbursement_method"
] as const satisfies ReadonlyArray<keyof KycValues>

const optional: ReadonlySet<string> = new Set(["complement", "agency_digit", "account_digit"])

const groups = {
  document: Object.keys(KycDocument.fields),
  address: Object.keys(FgtsKycAddress.fields),
  pix: Object.keys(KycPix.fields),
  bank: Object.keys(FgtsKycBank.fields)
}

const missingIn = (values: KycValues, group: keyof typeof groups): ReadonlyArray<string> => {
  const known = Object.entries(values[group] ?? {})
  return groups[group]
    .filter((field) => !optional.has(field) && !known.some(([name, value]) => name === field && value !== null))
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
  ...scalars.filter((field) => values[field] === null),
  ...missingIn(values, "document"),
  ...missingIn(values, "address"),
  ...missingToPay(values)
]

/** Whether nothing is missing. */
export const isComplete = (values: KycValues): boolean => missingFields(values).length === 0
