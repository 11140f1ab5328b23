import { CivilStatus, DisbursementMethod, Gender, IdentityDocumentType } from "@lastro/domain/kyc"
import { cancellationReasons, withdrawalReasons } from "@lastro/domain/loan"
import {
  AccountNumber,
  AccountType,
  Agency,
  ApplicationId,
  BankCheckDigit,
  BankCode,
  CalendarDate,
  Cpf,
  DocumentNumber,
  Name,
  OfferId,
  PartnerId,
  Phone,
  PixKeyType,
  ProposalId,
  Timestamp,
  Uf,
  Zipcode
} from "@lastro/domain/values"
import { Schema } from "effect"
import { Contract, Reference } from "./ContractState.ts"
import { count, email, field, Table } from "./lenderFields.ts"
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

const ifSubmitted = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description: `Version 2. ${description}` }))

/** The KYC fields that a submission has only if the operator configured that the lender requires them. */
const additionalFields = {
  profession: ifSubmitted(Schema.String, "Profession"),
  monthly_income: ifSubmitted(Schema.Finite, "Monthly income in reais"),
  education: ifSubmitted(Schema.String, "Level of education"),
  spouse_name: ifSubmitted(Schema.String, "Name of the spouse or partner"),
  documents: ifSubmitted(
    Schema.Array(Schema.Struct({
      kind: Schema.String,
      reference: Schema.String,
      sha256: Schema.NullOr(Schema.String)
    })),
    "References to documents, which the host of Lastro keeps"
  )
}

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
  address: Schema.NullOr(Address),
  ...additionalFields
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

const Acceptance = Schema.Struct({
  accepted_at: field(Timestamp, "When the customer accepted the offer, as the seller recorded it"),
  ip: optionalText("The IP address of the customer; null if unknown"),
  user_agent: optionalText("The browser or app of the customer; null if unknown")
}).annotate({ identifier: "Acceptance", description: "Version 2. The evidence of the customer's acceptance" })

const Origin = Schema.Struct({
  partner: Schema.Struct({
    partner_id: field(PartnerId, "Id of the partner"),
    document_number: field(DocumentNumber, "CNPJ or CPF of the partner")
  }).annotate({ identifier: "OriginPartner", description: "The partner that sold the contract" }),
  agent: Schema.Struct({
    id: Schema.String.annotate({
      description: "The user id, the client id, or `host:` and the id of a user of the embedding service"
    }),
    name: optionalText("The name of a user; null for any other caller"),
    cpf: Schema.NullOr(field(Cpf, "The CPF of a user; null if it has none, and for any other caller"))
  }).annotate({
    identifier: "OriginAgent",
    description: "The user, API client or user of the embedding service that accepted the offer"
  })
}).annotate({
  identifier: "Origin",
  description: "Version 2. Who sold the contract; null if that was not recorded"
})

/** The field that identifies the contract in a request. */
const proposal_id = field(
  ProposalId,
  "Identifies the contract, like the Idempotency-Key. Requests with the same id refer to the same contract"
)

/** A request to create a contract. */
export const ContractRequest = Schema.Struct({
  proposal_id,
  application_id: field(ApplicationId, "Id of the application of the offer"),
  accepted_at: field(Timestamp, "When the customer accepted the offer"),
  offer: Schema.Struct({
    offer_id: field(OfferId, "The offer id in Lastro"),
    table: Table,
    ...termsFields,
    lender_ref: Schema.optionalKey(
      Schema.String.annotate({ description: "Version 2. The `lender_ref` of the offer; absent if it has none" })
    )
  }).annotate({
    identifier: "AcceptedOffer",
    description: "The accepted offer, with the lender's terms"
  }),
  customer: Borrower,
  disbursement: Disbursement,
  acceptance: Schema.optionalKey(Acceptance),
  origin: Schema.optionalKey(Schema.NullOr(Origin))
}).annotate({ identifier: "ContractRequest", description: "A request to create a contract" })

/** A request to retry a payment. */
export const DisbursementRequest = Schema.Struct({
  proposal_id,
  disbursement_attempt: count("Number of the payment, from 1. Requests with the same number refer to the same payment"),
  requested_at: field(Timestamp, "When the customer gave the new destination"),
  disbursement: Disbursement
}).annotate({ identifier: "DisbursementRequest", description: "A request to retry a payment" })

const requested_at = field(Timestamp, "When the caller requested it. It is the same for every repetition")

/** A request to cancel a contract. */
export const CancellationRequest = Schema.Struct({
  proposal_id,
  reference: Schema.NullOr(Reference).annotate({
    description: "The lender's reference; null if its response to the submission was lost"
  }),
  reason: Schema.Literals(cancellationReasons).annotate({ description: "The reason of the caller" }),
  requested_at
}).annotate({ identifier: "CancellationRequest", description: "Version 2. A request to cancel a contract" })

/** The response to a cancellation. */
export const Cancellation = Schema.Struct({
  contract: Schema.NullOr(Contract).annotate({
    description: "The state of the contract; null if there is no contract for this proposal, and none will be created"
  })
}).annotate({ identifier: "Cancellation", description: "Version 2. The response to a cancellation" })

/** A request to refund a paid contract. */
export const RefundRequest = Schema.Struct({
  proposal_id,
  reason: Schema.Literals(withdrawalReasons).annotate({ description: "The reason of the customer" }),
  requested_at
}).annotate({ identifier: "RefundRequest", description: "Version 2. A request to refund a paid contract" })

/** The response to a submission whose data the lender rejects. */
export const InvalidData = Schema.Struct({
  fields: Schema.Array(Schema.Struct({
    field: Schema.String.annotate({
      description: "The path of the field within `customer` or `disbursement`",
      examples: ["address.zipcode"]
    }),
    code: Schema.String.annotate({
      description: "The machine-readable problem: upper-case letters, digits and `_`",
      examples: ["ZIPCODE_UNKNOWN"]
    })
  })).annotate({ description: "The refused fields; empty if the lender names none" })
}).annotate({ identifier: "InvalidData", description: "The fields of a submission that the lender refuses" })
