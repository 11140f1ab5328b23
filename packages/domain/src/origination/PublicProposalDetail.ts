import { Schema } from "effect"
import { displayCpf, type PersonalDataView } from "../access/PersonalDataView.ts"
import { field } from "../input/field.ts"
import { type Disbursement } from "../kyc/Disbursement.ts"
import { DisbursementMethod } from "../kyc/KycValues.ts"
import { contractOf, paymentOf, ProposalStatus, referenceOf, rejectionOf } from "../loan/Proposal.ts"
import { RejectionReason } from "../offer/RejectionReason.ts"
import { Amount } from "../values/Amount.ts"
import { AccountType, maskBankAccount } from "../values/BankAccount.ts"
import { type Centavos, reaisOf } from "../values/Centavos.ts"
import { type Cpf } from "../values/Cpf.ts"
import { ApplicationId, OfferId } from "../values/ids.ts"
import { maskIp } from "../values/IpAddress.ts"
import { maskedCompletely } from "../values/maskTail.ts"
import { maskPix, maskPixKey, type Pix, PixKeyType } from "../values/Pix.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { FgtsInstallment, fgtsInstallment } from "./FgtsOffer.ts"
import {
  acceptedTerms,
  type ContractedApplication,
  proposalCustomer,
  proposalListItem,
  PublicProposalListItem
} from "./PublicProposalListItem.ts"

const nullableText = Schema.NullOr(Schema.String)

/**
 * The customer's bank account or PIX key for the payment. Only the last four characters of keys and account numbers are
 * shown.
 */
export const PublicDisbursementAccount = Schema.Struct({
  method: DisbursementMethod,
  pix_key_type: field(Schema.NullOr(PixKeyType), "Kind of PIX key; null for a bank transfer", "EMAIL"),
  pix_key: field(
    nullableText,
    "PIX key, masked except for its last four characters; null for a bank transfer. Without `kyc:read`, a CPF or CNPJ is masked completely.",
    "****.com"
  ),
  bank_code: field(nullableText, "Bank code (COMPE or ISPB); null for PIX", null),
  account_type: field(Schema.NullOr(AccountType), "Account type; null for PIX", null),
  agency: field(nullableText, "Branch; null for PIX", null),
  agency_digit: field(nullableText, "Check digit of the branch; null if it has none", null),
  account_number: field(nullableText, "Account number, masked except for its last four digits; null for PIX", null),
  account_digit: field(nullableText, "Check digit of the account, masked; null if it has none", null)
}).annotate({
  identifier: "PublicDisbursementAccount",
  description: "Disbursement account of the customer, masked"
})
export type PublicDisbursementAccount = typeof PublicDisbursementAccount.Type

/** A proposal with all its fields. */
export const PublicProposalDetail = Schema.Struct({
  ...PublicProposalListItem.fields,
  application_id: ApplicationId,
  offer_id: OfferId,
  installments: field(Schema.Array(FgtsInstallment), "The anticipated annual withdrawals by due date"),
  disbursement: PublicDisbursementAccount,
  reference: field(
    nullableText,
    "The lender's reference for the contract; null until the lender has confirmed it",
    "CT-4711"
  ),
  acceptance: field(
    Schema.Struct({
      accepted_at: field(Timestamp, "When the customer accepted the offer"),
      ip: field(nullableText, "The customer's IP address, masked; null if unknown", "200.1.*.*"),
      user_agent: field(
        nullableText,
        "The user agent of the customer's browser; null if unknown",
        "Mozilla/5.0 (Linux; Android 16)"
      )
    }),
    "Evidence of the customer's acceptance"
  ),
  signature_url: field(
    nullableText,
    "URL at which the customer signs; null unless the status is `AWAITING_SIGNATURE`",
    "https://sign.lender.example/c/7K3Q0ZVM9T"
  ),
  required_action: field(
    Schema.NullOr(Schema.Struct({
      code: field(Schema.String, "The lender's code", "LIVENESS_CHECK"),
      url: field(nullableText, "URL at which the customer performs the action; null if the lender names none", null),
      fields: field(Schema.Array(Schema.String), "Paths of KYC fields", [])
    })),
    "Action that the lender requires before it continues with the contract; otherwise null",
    null
  ),
  paid: field(
    Schema.NullOr(Schema.Struct({
      amount: field(Amount, "Amount paid to the customer, in reais", 462.95),
      at: field(Timestamp, "When it was paid"),
      end_to_end_id: field(nullableText, "End-to-end id of the PIX or TED payment; null if unknown", null)
    })),
    "The payment to the customer, if the lender has stated it; otherwise null",
    null
  ),
  refund: field(
    Schema.NullOr(Schema.Struct({
      amount: field(Amount, "Amount that the customer pays back, in reais", 462.95),
      pix_copy_paste: field(Schema.String, "PIX code for the customer's bank app", "00020126580014br.gov.bcb.pix"),
      expires_at: field(Timestamp, "The customer must pay before this time")
    })),
    "PIX payment with which the customer pays the money back, while the status is `REFUND_PENDING`; null until the lender has answered",
    null
  ),
  rejection: field(
    Schema.NullOr(RejectionReason),
    "Reason why the proposal was cancelled, rejected or refunded, or why the last disbursement failed; otherwise null",
    null
  ),
  status_history: field(
    Schema.Array(Schema.Struct({
      status: field(ProposalStatus, "Proposal status", "AWAITING_SIGNATURE"),
      at: field(Timestamp, "When the status was reached"),
      reason: field(nullableText, "Code of the reason, if there is one; otherwise null", null)
    })),
    "All statuses, oldest first"
  )
}).annotate({ identifier: "PublicProposalDetail", description: "A proposal with all its fields" })
export interface PublicProposalDetail extends Schema.Schema.Type<typeof PublicProposalDetail> {}

/** The response to a request for one proposal. */
export const PublicProposalDetailResponse = Schema.Struct({ data: PublicProposalDetail }).annotate({
  identifier: "PublicProposalDetailResponse",
  description: "The proposal"
})

/** Masks a PIX key for a view. Null for an erased key, which is empty. */
const maskedKey = (pix: Pix, view: PersonalDataView): string | null => {
  if (pix.key === "") return null
  return view === "full" ? maskPixKey(pix.key) : maskPix(pix).key
}

/**
 * A proposal shows only the last four characters of the customer's PIX key or account number, to every caller. Where
 * the CPF is masked, a PIX key that is a CPF or CNPJ is masked completely (DOC-25).
 * @rule PROP-04
 */
export const publicDisbursement = (
  { bank, method, pix }: Disbursement,
  view: PersonalDataView
): PublicDisbursementAccount => {
  const account = bank === null ? null : maskBankAccount(bank)
  return {
    method,
    pix_key_type: pix?.type ?? null,
    pix_key: pix === null ? null : maskedKey(pix, view),
    bank_code: account?.bank_code ?? null,
    account_type: account?.account_type ?? null,
    agency: account?.agency ?? null,
    agency_digit: account?.agency_digit ?? null,
    account_number: account?.account_number ?? null,
    account_digit: account?.account_digit ?? null
  }
}

const inReais = <F extends { readonly amount: Centavos }>(fact: F | null) =>
  fact === null ? null : { ...fact, amount: reaisOf(fact.amount) }

/** Masks a stored response, unless the caller can see personal data in full. */
export const maskProposal = (view: PersonalDataView) => (answer: PublicProposalDetail): PublicProposalDetail => {
  if (view === "full") return answer
  const { pix_key_type } = answer.disbursement
  const isDocument = pix_key_type === "CPF" || pix_key_type === "CNPJ"
  return {
    ...answer,
    customer: {
      ...answer.customer,
      cpf: answer.customer.cpf === null ? null : displayCpf(answer.customer.cpf as Cpf, view)
    },
    disbursement: isDocument ? { ...answer.disbursement, pix_key: maskedCompletely } : answer.disbursement
  }
}

/** Converts a proposal to its form in responses. `view` determines whether the CPF is masked. */
export const proposalDetail = (application: ContractedApplication, view: PersonalDataView): PublicProposalDetail => {
  const { proposal } = application
  const item = proposalListItem(application)
  return {
    ...item,
    customer: proposalCustomer(application, (cpf) => displayCpf(cpf, view)),
    application_id: application.application_id,
    offer_id: proposal.offer_id,
    installments: acceptedTerms(application).installments.map(fgtsInstallment),
    disbursement: publicDisbursement(proposal.disbursement, view),
    reference: referenceOf(proposal),
    acceptance: {
      accepted_at: proposal.acceptance.accepted_at,
      ip: proposal.acceptance.ip === null ? null : maskIp(proposal.acceptance.ip),
      user_agent: proposal.acceptance.user_agent
    },
    signature_url: proposal.status === "AWAITING_SIGNATURE" ? proposal.signature_url : null,
    required_action: contractOf(proposal)?.required_action ?? null,
    paid: inReais(paymentOf(proposal)),
    refund: proposal.status === "REFUND_PENDING" ? inReais(proposal.refund) : null,
    rejection: rejectionOf(proposal),
    status_history: proposal.status_history
  }
}
