import { Schema } from "effect"
import { field, maskable, nullWhenAbsent } from "../input/field.ts"
import { textSchema } from "../input/Text.ts"
import { Uf, Zipcode } from "../values/Address.ts"
import { AccountNumber, AccountType, Agency, BankCheckDigit, BankCode } from "../values/BankAccount.ts"
import { CalendarDate } from "../values/CalendarDate.ts"
import { Cpf } from "../values/Cpf.ts"
import { Email } from "../values/Email.ts"
import { Name } from "../values/Name.ts"
import { Phone } from "../values/Phone.ts"
import { PixKeyType } from "../values/Pix.ts"
import { type KycRequirements } from "./KycRequirements.ts"
import { lenderKycSchemas } from "./lenderFields.ts"

/** Gender as stated in identity documents. */
export const Gender = Schema.Literals(["M", "F"]).annotate({ identifier: "Gender", description: "M: male, F: female" })
export type Gender = typeof Gender.Type

/** Civil status of the customer. */
export const CivilStatus = Schema.Literals(["SINGLE", "MARRIED", "DIVORCED", "SEPARATED", "WIDOWED", "STABLE_UNION"])
  .annotate({ identifier: "CivilStatus", description: "Civil status" })
export type CivilStatus = typeof CivilStatus.Type

/** The method of payment to the customer. */
export const DisbursementMethod = Schema.Literals(["PIX", "BANK_TRANSFER"]).annotate({
  identifier: "DisbursementMethod",
  description: "PIX: to a PIX key; BANK_TRANSFER: to a bank account"
})
export type DisbursementMethod = typeof DisbursementMethod.Type

/** The accepted kinds of identity document. */
export const IdentityDocumentType = Schema.Literals(["RG", "CIN", "CNH", "RNE", "CRNM"]).annotate({
  description:
    "Kind of document. RG and CIN: identity cards; CNH: driving licence; RNE and CRNM: foreigners' registers."
})

/** An identity document. Unknown values are `null`. */
const KycDocument = Schema.Struct({
  type: nullWhenAbsent(IdentityDocumentType),
  number: nullWhenAbsent(
    textSchema({ min: 1, max: 30, description: "Number of the document", examples: ["123456789"] })
  ),
  issuer: nullWhenAbsent(textSchema({ min: 2, max: 30, description: "Issuer of the document", examples: ["SSP"] })),
  uf: nullWhenAbsent(Uf),
  issued_at: field(nullWhenAbsent(CalendarDate), "Date of issue, YYYY-MM-DD", "2010-03-04")
}).annotate({ description: "Identity document" })

/** The home address of the customer. Unknown values are `null`. */
const FgtsKycAddress = Schema.Struct({
  zipcode: nullWhenAbsent(Zipcode),
  uf: nullWhenAbsent(Uf),
  city: nullWhenAbsent(textSchema({ min: 1, max: 100, description: "City", examples: ["São Paulo"] })),
  neighborhood: nullWhenAbsent(
    textSchema({ min: 1, max: 100, description: "Neighborhood (bairro)", examples: ["Bela Vista"] })
  ),
  street: nullWhenAbsent(textSchema({ min: 1, max: 200, description: "Street", examples: ["Avenida Paulista"] })),
  number: nullWhenAbsent(
    textSchema({ min: 1, max: 20, description: "Number on the street, as text", examples: ["1578", "S/N"] })
  ),
  complement: nullWhenAbsent(
    textSchema({ min: 1, max: 100, description: "Apartment, suite or similar", examples: ["Apto 42"] })
  )
}).annotate({ identifier: "FgtsKycAddress", description: "Home address of the customer" })

/** A PIX key. Unknown values are `null`. If both key and type are present, the key is checked against the type. */
const KycPix = Schema.Struct({
  type: field(nullWhenAbsent(PixKeyType), "Kind of PIX key", "EMAIL"),
  key: nullWhenAbsent(
    textSchema({
      min: 1,
      max: 77,
      description: "The key, in the format of its type",
      examples: ["ana.lima@example.com"]
    })
  )
}).annotate({ description: "PIX key of the customer" })

/** The customer's bank account. Unknown values are `null`. */
export const FgtsKycBank = Schema.Struct({
  bank_code: nullWhenAbsent(BankCode),
  account_type: nullWhenAbsent(AccountType),
  agency: nullWhenAbsent(Agency),
  agency_digit: field(nullWhenAbsent(BankCheckDigit), "Check digit of the branch; null if it has none", null),
  account_number: field(
    nullWhenAbsent(maskable(AccountNumber)),
    "Account number: 1 to 20 digits, without its check digit. Masked for callers without `kyc:read`."
  ),
  account_digit: field(
    nullWhenAbsent(maskable(BankCheckDigit)),
    "Check digit of the account; null if it has none. Masked for callers without `kyc:read`."
  )
}).annotate({ identifier: "FgtsKycBank", description: "Bank account of the customer" })
export type FgtsKycBank = typeof FgtsKycBank.Type

/** The fields of a KYC. A value that was not submitted is `null`. */
export const kycFields = {
  name: field(nullWhenAbsent(Name), "Name, 2 to 120 characters", "Ana Beatriz Lima"),
  cpf: field(
    nullWhenAbsent(maskable(Cpf)),
    "CPF: 11 digits. It must match the application. Masked for callers without `kyc:read`."
  ),
  birth_date: field(
    nullWhenAbsent(CalendarDate),
    "Birth date, YYYY-MM-DD. It must match the application.",
    "1990-05-17"
  ),
  gender: field(nullWhenAbsent(Gender), "Gender", "F"),
  civil_status: nullWhenAbsent(CivilStatus),
  mother_name: field(nullWhenAbsent(Name), "Mother's name, 2 to 120 characters", "Célia Lima"),
  nationality: nullWhenAbsent(textSchema({ min: 2, max: 60, description: "Nationality", examples: ["Brasileira"] })),
  document: nullWhenAbsent(KycDocument),
  email: field(nullWhenAbsent(Email), "E-mail address", "ana.lima@example.com"),
  phone: nullWhenAbsent(Phone),
  is_pep: field(nullWhenAbsent(Schema.Boolean), "True if the customer is a politically exposed person", false),
  address: nullWhenAbsent(FgtsKycAddress),
  disbursement_method: nullWhenAbsent(DisbursementMethod),
  pix: nullWhenAbsent(KycPix),
  bank: field(nullWhenAbsent(FgtsKycBank), "Bank account of the customer", null),
  ...lenderKycSchemas
}

/** The KYC fields that are nested objects, each with the names of its own fields. */
export const kycGroups = {
  document: KycDocument.fields,
  address: FgtsKycAddress.fields,
  pix: KycPix.fields,
  bank: FgtsKycBank.fields
}

/**
 * The values of a KYC. A value that was not submitted is `null`. An additional field of the lender ({@link
 * lenderKycSchemas}) is absent instead.
 */
export const KycValues = Schema.Struct(kycFields)
export type KycValues = typeof KycValues.Type

/** The fields of an application against which a KYC is checked. */
export interface KycSubject {
  readonly customer: Customer
  /** Null before the first submission. */
  readonly kyc: KycValues | null
  /** Null before an offer is accepted. */
  readonly proposal: {
    readonly status: string
    /** The fields that the lender refuses, while a correction is needed. */
    readonly refused_fields?: ReadonlyArray<string>
  } | null
  /** The cancellation before an offer was accepted. Null without one. */
  readonly cancellation: object | null
  readonly requirements: KycRequirements
}

/** A KYC without any value. */
export const emptyKyc: KycValues = {
  name: null,
  cpf: null,
  birth_date: null,
  gender: null,
  civil_status: null,
  mother_name: null,
  nationality: null,
  document: null,
  email: null,
  phone: null,
  is_pep: null,
  address: null,
  disbursement_method: null,
  pix: null,
  bank: null
}

/** The person who applies for the loan. Unknown values are `null`. */
export const Customer = Schema.Struct({
  cpf: field(maskable(Cpf), "CPF: 11 digits. Masked for callers without `kyc:read`.", "11144477735"),
  birth_date: field(
    CalendarDate,
    "Birth date as registered with CAIXA, YYYY-MM-DD. The customer is at least 18 years old",
    "1990-05-17"
  ),
  name: field(nullWhenAbsent(Name), "Name, 2 to 120 characters", "Ana Beatriz Lima"),
  email: field(nullWhenAbsent(Email), "E-mail address", "ana.lima@example.com"),
  phone: field(nullWhenAbsent(Phone), "Phone number: area code and 8 or 9 digits", "11987654321")
}).annotate({ identifier: "Customer", description: "The person whose FGTS withdrawals are anticipated" })
export type Customer = typeof Customer.Type
