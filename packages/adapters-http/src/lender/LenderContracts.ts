import {
  AccountNumber,
  AccountType,
  Agency,
  BankCheckDigit,
  BankCode,
  Cpf,
  Name,
  Phone,
  PixKeyType,
  Uf,
  Zipcode
} from "@lastro/domain/documents"
import { CivilStatus, DisbursementMethod, Gender, IdentityDocumentType } from "@lastro/domain/fgts"
import { ApplicationId, OfferId, ProposalId } from "@lastro/domain/id"
import { CalendarDate, Timestamp } from "@lastro/domain/time"
import { nullWhenAbsent } from "@lastro/domain/validation"
import { Schema } from "effect"
import { count, email, field, Refusal, Table } from "./lenderFields.ts"
import { termsFields } from "./LenderQuotes.ts"

const optionalText = (description: string) => field(Schema.NullOr(Schema.String), description)

const Document = Schema.Struct({
  type: Schema.NullOr(
    field(
      IdentityDocumentType,
      "RG and CIN: identity cards, CNH: driving licence, RNE and CRNM: foreigner registrations"
    )
  ),
  number: optionalText("Number"),
  issuer: optionalText("Issuing authority"),
  uf: Schema.NullOr(field(Uf, "Issuing state")),
  issued_at: Schema.NullOr(field(CalendarDate, "Date of issue"))
}).annotate({ identifier: "IdentityDocument", description: "The customer's identity document" })

const Address = Schema.Struct({
  zipcode: Schema.NullOr(field(Zipcode, "CEP: 8 digits")),
  uf: Schema.NullOr(field(Uf, "State")),
  city: optionalText("City"),
  neighborhood: optionalText("Neighborhood (bairro)"),
  street: optionalText("Street"),
  number: optionalText("House number, as text"),
  complement: optionalText("Complement; null if there is none")
}).annotate({ identifier: "Address", description: "The customer's home address" })

const Borrower = Schema.Struct({
  name: Schema.NullOr(field(Name, "Name")),
  cpf: Schema.NullOr(field(Cpf, "CPF: 11 digits")),
  birth_date: Schema.NullOr(field(CalendarDate, "Date of birth")),
  gender: Schema.NullOr(Gender),
  civil_status: Schema.NullOr(CivilStatus),
  mother_name: Schema.NullOr(field(Name, "Mother's name")),
  nationality: optionalText("Nationality"),
  document: Schema.NullOr(Document),
  email: Schema.NullOr(email("E-mail address")),
  phone: Schema.NullOr(field(Phone, "Phone number: area code and 8 or 9 digits")),
  is_pep: field(Schema.NullOr(Schema.Boolean), "True if the customer is a politically exposed person (PEP)"),
  address: Schema.NullOr(Address)
}).annotate({
  identifier: "Borrower",
  description: "The borrower, from the KYC data. Only the complement of the address can be null"
})

const Bank = Schema.Struct({
  bank_code: Schema.NullOr(field(BankCode, "COMPE code (3 digits) or ISPB (8 digits)")),
  account_type: Schema.NullOr(field(AccountType, "CC: current, CP: savings, CS: salary, PG: payment account")),
  agency: Schema.NullOr(field(Agency, "Branch")),
  agency_digit: Schema.NullOr(field(BankCheckDigit, "Check digit of the branch; null if there is none")),
  account_number: Schema.NullOr(field(AccountNumber, "Account number")),
  account_digit: Schema.NullOr(field(BankCheckDigit, "Check digit of the account; null if there is none"))
}).annotate({ identifier: "BankAccount", description: "A bank account of the customer" })

const PixKey = Schema.Struct({
  type: field(PixKeyType, "Type of the key"),
  key: field(Schema.String, "The key as registered in DICT")
}).annotate({ identifier: "PixKey", description: "A PIX key and its type" })

const Disbursement = Schema.Struct({
  method: field(DisbursementMethod, "PIX: to the key; BANK_TRANSFER: to the account"),
  pix: Schema.NullOr(PixKey),
  bank: Schema.NullOr(Bank)
}).annotate({
  identifier: "Disbursement",
  description:
    "The payment destination. The field that the method does not use is null. The lender verifies that the destination " +
    "belongs to the customer"
})

const proposal_id = field(
  ProposalId,
  "Identifies the contract, like the Idempotency-Key. Requests with the same id refer to the same contract"
)

/** A request to create a contract. */
export const ContractRequest = Schema.Struct({
  proposal_id,
  application_id: field(ApplicationId, "Id of the application of the offer"),
  accepted_at: field(Timestamp, "When the customer accepted the offer"),
  offer: Schema.Struct({ offer_id: field(OfferId, "The offer id in Lastro"), table: Table, ...termsFields }).annotate({
    identifier: "AcceptedOffer",
    description: "The accepted offer, with the lender's terms"
  }),
  customer: Borrower,
  disbursement: Disbursement
}).annotate({ identifier: "ContractRequest", description: "A request to create a contract" })

/** A request to retry a payment. */
export const DisbursementRequest = Schema.Struct({
  proposal_id,
  disbursement_attempt: count("Number of the payment, from 1. Requests with the same number refer to the same payment"),
  requested_at: field(Timestamp, "When the customer gave the new destination"),
  disbursement: Disbursement
}).annotate({ identifier: "DisbursementRequest", description: "A request to retry a payment" })

/** The lender's reference for a contract. It appears in URLs and logs. */
export const Reference = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._~:/-]{0,127}$/u)).annotate({
  description:
    "The lender's reference of the contract: 1 to 128 letters, digits and `._~:/-`, without personal data. Unique to the proposal",
  examples: ["CCB-2026-000123"]
})

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:/.test(url)

/** The state of a contract at the lender. */
export const Contract = Schema.Struct({
  reference: Reference,
  status: Schema.Literals([
    "AWAITING_SIGNATURE",
    "GUARANTEE_PENDING",
    "DISBURSING",
    "DISBURSEMENT_FAILED",
    "PAID",
    "CANCELLED",
    "REJECTED"
  ]).annotate({
    description:
      "AWAITING_SIGNATURE: the customer must sign. GUARANTEE_PENDING: CAIXA must register the assignment. DISBURSING: the " +
      "payment is running. DISBURSEMENT_FAILED: the customer must give another destination. PAID. CANCELLED: by the " +
      "customer or by expiry. REJECTED: by the lender. Steps may be skipped, but never reverted"
  }),
  signature_url: nullWhenAbsent(
    Schema.String.annotate({
      description: "The URL where the customer signs; null if there is nothing to sign",
      examples: ["https://lender.example/sign/7c9e6679"]
    }).check(Schema.isMaxLength(2_048), Schema.makeFilter(isWebAddress))
  ),
  rejection: nullWhenAbsent(Refusal),
  disbursement_attempt: count("Number of the payment that the status refers to, from 1")
}).annotate({ identifier: "Contract", description: "The state of a contract" })
