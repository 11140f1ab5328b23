import { type Disbursement } from "@lastro/domain/kyc"
import { type InvalidField, SubmissionInvalid } from "@lastro/domain/lender"
import { type QitechRefused } from "./QitechRefused.ts"

/** The KYC field for each field name in QI Tech's error texts. */
const fields: ReadonlyArray<readonly [name: string, field: string]> = [
  ["individual_document_number", "cpf"],
  ["document_identification_number", "document.number"],
  ["document_identification_type", "document.type"],
  ["document_identification_back", "documents"],
  ["document_identification", "documents"],
  ["proof_of_residence", "documents"],
  ["wedding_certificate", "documents"],
  ["mother_name", "mother_name"],
  ["birth_date", "birth_date"],
  ["profession", "profession"],
  ["nationality", "nationality"],
  ["marital_status", "civil_status"],
  ["property_system", "civil_status"],
  ["spouse", "spouse_name"],
  ["email", "email"],
  ["phone", "phone"],
  ["area_code", "phone"],
  ["postal_code", "address.zipcode"],
  ["street", "address.street"],
  ["neighborhood", "address.neighborhood"],
  ["city", "address.city"],
  ["state", "address.uf"],
  ["complement", "address.complement"]
]

const paymentFields: Readonly<Record<Disbursement["method"], ReadonlyArray<readonly [name: string, field: string]>>> = {
  PIX: [["pix_key", "pix.key"]],
  BANK_TRANSFER: [
    ["bank_code", "bank.bank_code"],
    ["branch_number", "bank.agency"],
    ["account_number", "bank.account_number"],
    ["account_digit", "bank.account_digit"],
    ["account_type", "bank.account_type"]
  ]
}

/** The error code for an account that cannot receive a payment. */
const invalidAccount = "COP000157"

/** Returns whether a text contains a field name as a whole word, not only as a part of another name. */
const includesName = (text: string, name: string): boolean => new RegExp(`(?<![a-z_])${name}(?![a-z_])`).test(text)

/** Returns the KYC fields that an error text names. Does not return the text, because it may contain personal data. */
export const invalidFieldsOf = (
  { code, text }: Pick<QitechRefused, "code" | "text">,
  { method }: Pick<Disbursement, "method">
): ReadonlyArray<InvalidField> => {
  const invalid = new Set<string>()
  for (const [name, field] of [...fields, ...paymentFields[method]]) {
    if (includesName(text, name)) invalid.add(field)
  }
  if (code === invalidAccount) invalid.add(method === "PIX" ? "pix.key" : "bank.account_number")
  return [...invalid].map((field) => ({ field, code: code ?? "INVALID" }))
}

/** Returns the error for a submission whose data must be corrected first. */
export const invalid = (fields: ReadonlyArray<InvalidField>): SubmissionInvalid =>
  new SubmissionInvalid({ fields, message: null })
