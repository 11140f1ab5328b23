import { Schema } from "effect"
import { AccountNumber } from "../../documents/AccountNumber.ts"
import { AccountType } from "../../documents/AccountType.ts"
import { Agency } from "../../documents/Agency.ts"
import { BankCheckDigit } from "../../documents/BankCheckDigit.ts"
import { BankCode } from "../../documents/BankCode.ts"
import { Cpf } from "../../documents/Cpf.ts"
import { Email } from "../../documents/Email.ts"
import { Name } from "../../documents/Name.ts"
import { Phone } from "../../documents/Phone.ts"
import { PixKeyType } from "../../documents/PixKey.ts"
import { Uf } from "../../documents/Uf.ts"
import { Zipcode } from "../../documents/Zipcode.ts"
import { CalendarDate } from "../../time/CalendarDate.ts"
import { nullWhenAbsent } from "../../validation/nullWhenAbsent.ts"
import { text } from "../../validation/Text.ts"
import { type Customer } from "./Customer.ts"

/** Gender as documents state it. */
export const Gender = Schema.Literals(["M", "F"]).annotate({ identifier: "Gender", description: "M: male, F: female" })
export type Gender = typeof Gender.Type

/** Civil status. */
export const CivilStatus = Schema.Literals(["SINGLE", "MARRIED", "DIVORCED", "SEPARATED", "WIDOWED", "STABLE_UNION"])
  .annotate({ identifier: "CivilStatus" })
export type CivilStatus = typeof CivilStatus.Type

/** How the customer is paid. */
export const DisbursementMethod = Schema.Literals(["PIX", "BANK_TRANSFER"]).annotate({
  identifier: "DisbursementMethod",
  description: "PIX: to a PIX key; BANK_TRANSFER: to a bank account"
})
export type DisbursementMethod = typeof DisbursementMethod.Type

/** The kinds of identity document that are taken. */
export const IdentityDocumentType = Schema.Literals(["RG", "CIN", "CNH", "RNE", "CRNM"]).annotate({
  description: "RG and CIN: identity cards, CNH: driving licence, RNE and CRNM: foreigners' registers"
})

/** An identity document, as far as it is known. */
export const KycDocument = Schema.Struct({
  type: nullWhenAbsent(IdentityDocumentType),
  number: nullWhenAbsent(text({ min: 1, max: 30, description: "Number of the document", examples: ["123456789"] })),
  issuer: nullWhenAbsent(text({ min: 2, max: 30, description: "Who issued it", examples: ["SSP"] })),
  uf: nullWhenAbsent(Uf),
  issued_at: nullWhenAbsent(CalendarDate)
}).annotate({ description: "An identity document" })

/** Where the customer lives, as far as it is known. */
export const FgtsKycAddress = Schema.Struct({
  zipcode: nullWhenAbsent(Zipcode),
  uf: nullWhenAbsent(Uf),
  city: nullWhenAbsent(text({ min: 1, max: 100, description: "City", examples: ["São Paulo"] })),
  neighborhood: nullWhenAbsent(
    text({ min: 1, max: 100, description: "Neighborhood (bairro)", examples: ["Bela Vista"] })
  ),
  street: nullWhenAbsent(text({ min: 1, max: 200, description: "Street", examples: ["Avenida Paulista"] })),
  number: nullWhenAbsent(
    text({ min: 1, max: 20, description: "Number on the street, as text", examples: ["1578", "S/N"] })
  ),
  complement: nullWhenAbsent(text({ min: 1, max: 100, description: "Complement", examples: ["Apto 42"] }))
}).annotate({ identifier: "FgtsKycAddress", description: "Where the customer lives" })
export type FgtsKycAddress = typeof FgtsKycAddress.Type

/** A PIX key, as far as it is known; whether the key fits its type is judged once both are there. */
export const KycPix = Schema.Struct({
  type: nullWhenAbsent(PixKeyType),
  key: nullWhenAbsent(
    text({ min: 1, max: 77, description: "The key, in the format of its type", examples: ["maria@example.com"] })
  )
}).annotate({ description: "A PIX key and its type" })

/** The customer's bank account, as far as it is known. */
export const FgtsKycBank = Schema.Struct({
  bank_code: nullWhenAbsent(BankCode),
  account_type: nullWhenAbsent(AccountType),
  agency: nullWhenAbsent(Agency),
  agency_digit: nullWhenAbsent(BankCheckDigit),
  account_number: nullWhenAbsent(AccountNumber),
  account_digit: nullWhenAbsent(BankCheckDigit)
}).annotate({ identifier: "FgtsKycBank", description: "The customer's bank account" })
export type FgtsKycBank = typeof FgtsKycBank.Type

/** What is asked of a customer, field by field; `null` is what has not been told. */
export const kycFields = {
  name: nullWhenAbsent(Name),
  cpf: nullWhenAbsent(Cpf),
  birth_date: nullWhenAbsent(CalendarDate),
  gender: nullWhenAbsent(Gender),
  civil_status: nullWhenAbsent(CivilStatus),
  mother_name: nullWhenAbsent(Name),
  nationality: nullWhenAbsent(text({ min: 2, max: 60, description: "Nationality", examples: ["Brasileira"] })),
  document: nullWhenAbsent(KycDocument),
  email: nullWhenAbsent(Email),
  phone: nullWhenAbsent(Phone),
  /** Whether the customer is a politically exposed person. */
  is_pep: nullWhenAbsent(Schema.Boolean),
  address: nullWhenAbsent(FgtsKycAddress),
  disbursement_method: nullWhenAbsent(DisbursementMethod),
  pix: nullWhenAbsent(KycPix),
  bank: nullWhenAbsent(FgtsKycBank)
}

/** Those of {@link kycFields} that are groups of fields, with the fields of each. */
export const kycGroups = {
  document: KycDocument.fields,
  address: FgtsKycAddress.fields,
  pix: KycPix.fields,
  bank: FgtsKycBank.fields
}

/** What was told of a customer. */
export const KycValues = Schema.Struct(kycFields)
export type KycValues = typeof KycValues.Type

/** The parts of an application that judge a KYC: whom it is about, what was submitted, and whether an offer was accepted. */
export interface KycSubject {
  readonly customer: Customer
  /** Null before the first submission. */
  readonly kyc: KycValues | null
  /** Null before an offer is accepted. */
  readonly proposal: object | null
}

/** A KYC without any value. */
export const noKyc: KycValues = {
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
