import { Struct } from "effect"
import { valueAt } from "../input/valueAt.ts"
import { isSupportedMethod, type KycRequirements, missingLenderFields } from "./KycRequirements.ts"
import { kycFields, kycGroups, type KycValues } from "./KycValues.ts"
import { lenderKycSchemas } from "./lenderFields.ts"

type Group = keyof typeof kycGroups

/** The fields that every lender requires, without the groups (nested objects). */
const ungrouped = Struct.keys(kycFields).filter((name) =>
  !Object.hasOwn(kycGroups, name) && !Object.hasOwn(lenderKycSchemas, name)
)

const optional: ReadonlySet<string> = new Set(["complement", "agency_digit", "account_digit"])

const required = (group: Group): ReadonlyArray<string> =>
  Object.keys(kycGroups[group]).filter((field) => !optional.has(field))

const requiredIn: Readonly<Record<Group, ReadonlyArray<string>>> = {
  document: required("document"),
  address: required("address"),
  pix: required("pix"),
  bank: required("bank")
}

const missingIn = (values: KycValues, group: Group): ReadonlyArray<string> =>
  requiredIn[group]
    .filter((field) => (valueAt(values, [group, field]) ?? null) === null)
    .map((field) => `${group}.${field}`)

/**
 * Lists the missing fields of the chosen disbursement method. Empty if no method is chosen: then `missingFields` lists
 * `disbursement_method`.
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
 * A KYC is complete when all required fields are submitted. These fields are optional: the address complement, the
 * check digits of branch and account, and the fields of the disbursement method that was not chosen. `requirements` are
 * those of the application's lender, if they were recorded. Its additional fields are required, too. A disbursement
 * method that it does not support counts as missing.
 * @rule KYC-01
 */
export const missingFields = (values: KycValues, requirements: KycRequirements | undefined): ReadonlyArray<string> => [
  ...ungrouped.filter((field) => values[field] === null),
  ...missingLenderFields(values, requirements),
  ...missingIn(values, "document"),
  ...missingIn(values, "address"),
  ...(isSupportedMethod(values.disbursement_method, requirements) ? missingToPay(values) : ["disbursement_method"])
]

/** Returns whether no required field is missing. */
export const isComplete = (values: KycValues, requirements: KycRequirements | undefined): boolean =>
  missingFields(values, requirements).length === 0
