import {
  AccountNumber,
  AccountType,
  Agency,
  ApplicationId,
  BankCheckDigit,
  BankCode,
  CalendarDate,
  CivilStatus,
  Cpf,
  DisbursementMethod,
  Gender,
  IdentityDocumentType,
  Name,
  nullWhenAbsent,
  OfferId,
  Phone,
  PixKeyType,
  ProposalId,
  Timestamp,
  Uf,
  Zipcode
} from "@lastro/domain"
import { Schema } from "effect"
import { count, email, field, Refusal, Table } from "./lenderFields.ts"
import { termsFields } from "./LenderQuotes.ts"

const told = Schema.NullOr(Schema.String)

const line = (description: string) => field(told, description)

const Document = Schema.Struct({
  type: Schema.NullOr(
    field(IdentityDocumentType, "RG and CIN: identity cards, CNH: driving licence, RNE and CRNM: foreigners' registers")
  ),
  number: line("Number"),
  issuer: line("Who issued it"),
  uf: Schema.NullOr(field(Uf, "The state that issued it")),
  issued_at: Schema.NullOr(field(CalendarDate, "Date of issue"))
}).annotate({ identifier: "IdentityDocument", description: "The customer's identity document" })

const Address = Schema.Struct({
  zipcode: Schema.NullOr(field(Zipcode, "CEP: 8 digits")),
  uf: Schema.NullOr(field(Uf, "State")),
  city: line("City"),
  neighborhood: line("Neighborhood (bairro)"),
  street: line("Street"),
  number: line("Number on the street, as text"),
  complement: line("Complement; null where there is none")
}).annotate({ identifier: "Address", description: "Where the customer lives" })

const Borrower = Schema.Struct({
  name: Schema.NullOr(field(Name, "Name")),
  cpf: Schema.NullOr(field(Cpf, "CPF: 11 digits")),
  birth_date: Schema.NullOr(field(CalendarDate, "Date of birth")),
  gender: Schema.NullOr(Gender),
  civil_status: Schema.NullOr(CivilStatus),
  mother_name: Schema.NullOr(field(Name, "Name of the mother")),
  nationality: line("Nationality"),
  document: Schema.NullOr(Document),
  email: Schema.NullOr(email("E-mail address")),
  phone: Schema.NullOr(field(Phone, "Phone number: area code and 8 or 9 digits")),
  is_pep: field(Schema.NullOr(Schema.Boolean), "Whether the customer is a politically exposed person"),
  address: Schema.NullOr(Address)
}).annotate({
  identifier: "Borrower",
  description: "Who borrows, as their KYC says. Nothing is null but the complement of an address"
})

const Bank = Schema.Struct({
  bank_code: Schema.NullOr(field(BankCode, "COMPE code (3 digits) or ISPB (8 digits)")),
  account_type: Schema.NullOr(field(AccountType, "CC: current, CP: savings, CS: salary, PG: payment account")),
  agency: Schema.NullOr(field(Agency, "Branch")),
  agency_digit: Schema.NullOr(field(BankCheckDigit, "Check digit of the branch; null where there is none")),
  account_number: Schema.NullOr(field(AccountNumber, "Number of the account")),
  account_digit: Schema.NullOr(field(BankCheckDigit, "Check digit of the account; null where there is none"))
}).annotate({ identifier: "BankAccount", description: "An account of the customer's" })

const PixKey = Schema.Struct({
  type: field(PixKeyType, "What kind of key it is"),
  key: field(Schema.String, "The key, as the directory DICT knows it")
}).annotate({ identifier: "PixKey", description: "A PIX key and its type" })

const Disbursement = Schema.Struct({
  method: field(DisbursementMethod, "PIX: to the key; BANK_TRANSFER: to the account"),
  pix: Schema.NullOr(PixKey),
  bank: Schema.NullOr(Bank)
}).annotate({
  identifier: "Disbursement",
  description:
    "Where to pay: what the method uses is told, the other is null. The lender confirms that it is the customer's"
})

const proposal_id = field(
  ProposalId,
  "Names the contract, as the Idempotency-Key does: the same one again is the same contract"
)

/** A contract that a lender is asked to make. */
export const ContractRequest = Schema.Struct({
  proposal_id,
  application_id: field(ApplicationId, "The application that the offer was made to"),
  accepted_at: field(Timestamp, "When the customer accepted"),
  offer: Schema.Struct({ offer_id: field(OfferId, "What we call the offer"), table: Table, ...termsFields }).annotate({
    identifier: "AcceptedOffer",
    description: "The offer, as the lender made it"
  }),
  customer: Borrower,
  disbursement: Disbursement
}).annotate({ identifier: "ContractRequest", description: "A contract to be made" })

/** A payment that a lender is asked to try again. */
export const DisbursementRequest = Schema.Struct({
  proposal_id,
  disbursement_attempt: count("Names the payment: the same one again is the same payment. The first was 1"),
  requested_at: field(Timestamp, "When the customer said where to pay now"),
  disbursement: Disbursement
}).annotate({ identifier: "DisbursementRequest", description: "A payment that is to be tried again" })

/** What a lender may call a contract: it is sent in a path, and seen in logs. */
export const Reference = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._~:/-]{0,127}$/u)).annotate({
  description: "What the lender calls the contract: nothing personal, 1 to 128 letters, digits and `._~:/-`",
  examples: ["CCB-2026-000123"]
})

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:/.test(url)

/** How a contract stands with the lender. */
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
      "The customer has to sign; CAIXA has to register the assignment; being paid; paying failed, tell us where " +
      "else; paid; the customer or time ended it; the lender ended it. Steps may be skipped, none is taken back"
  }),
  signature_url: nullWhenAbsent(
    Schema.String.annotate({
      description: "Where the customer signs; null where there is nothing to sign yet, or any more",
      examples: ["https://lender.example/sign/7c9e6679"]
    }).check(Schema.isMaxLength(2_048), Schema.makeFilter(isWebAddress))
  ),
  rejection: nullWhenAbsent(Refusal),
  disbursement_attempt: count("Which of the payments asked for this tells of")
}).annotate({ identifier: "Contract", description: "How a contract stands" })
