import { Schema } from "effect"
import { AccountType } from "../documents/AccountType.ts"
import { maskBankAccount } from "../documents/BankAccount.ts"
import { maskPixKey, PixKeyType } from "../documents/PixKey.ts"
import { ProposalStatus } from "../fgts/contract/Proposal.ts"
import { type Disbursement } from "../fgts/kyc/Disbursement.ts"
import { DisbursementMethod } from "../fgts/kyc/KycValues.ts"
import { RejectionReason } from "../fgts/quote/RejectionReason.ts"
import { FgtsInstallment, fgtsInstallment } from "../fgts/view/FgtsOffer.ts"
import { ApplicationId } from "../id/ApplicationId.ts"
import { OfferId } from "../id/OfferId.ts"
import { type PersonalDataView, shownCpf } from "../identity/PersonalDataView.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { acceptedTerms, type Contracted, proposalListItem, PublicProposalListItem } from "./PublicProposalListItem.ts"

const shown = Schema.NullOr(Schema.String)

/** Where the customer is paid; keys and accounts show their last four characters only. */
export const PublicDisbursementAccount = Schema.Struct({
  method: DisbursementMethod,
  pix_key_type: Schema.NullOr(PixKeyType),
  pix_key: shown,
  bank_code: shown,
  account_type: Schema.NullOr(AccountType),
  agency: shown,
  agency_digit: shown,
  account_number: shown,
  account_digit: shown
}).annotate({ identifier: "PublicDisbursementAccount" })
export type PublicDisbursementAccount = typeof PublicDisbursementAccount.Type

/** A proposal, whole. */
export const PublicProposalDetail = Schema.Struct({
  ...PublicProposalListItem.fields,
  application_id: ApplicationId,
  offer_id: OfferId,
  installments: Schema.Array(FgtsInstallment),
  disbursement: PublicDisbursementAccount,
  /** Where the customer signs; null before there is something to sign. */
  signature_url: shown,
  /** Why it was cancelled or rejected, or why the last payment failed. */
  rejection: Schema.NullOr(RejectionReason),
  /** From the first status to the present one. */
  status_history: Schema.Array(Schema.Struct({ status: ProposalStatus, at: Timestamp, reason: shown }))
}).annotate({ identifier: "PublicProposalDetail" })
export type PublicProposalDetail = typeof PublicProposalDetail.Type

/** The answer of reading a proposal. */
export const PublicProposalDetailResponse = Schema.Struct({ data: PublicProposalDetail }).annotate({
  identifier: "PublicProposalDetailResponse"
})

/**
 * Where the customer is paid is shown with key and account masked to their last four characters, whoever reads.
 * @rule PROP-04
 */
export const publicDisbursement = ({ bank, method, pix }: Disbursement): PublicDisbursementAccount => {
  const account = bank === null ? null : maskBankAccount(bank)
  return {
    method,
    pix_key_type: pix?.type ?? null,
    pix_key: pix === null ? null : maskPixKey(pix.key),
    bank_code: account?.bank_code ?? null,
    account_type: account?.account_type ?? null,
    agency: account?.agency ?? null,
    agency_digit: account?.agency_digit ?? null,
    account_number: account?.account_number ?? null,
    account_digit: account?.account_digit ?? null
  }
}

/** A proposal as its reader sees it. */
export const proposalDetail = (application: Contracted, view: PersonalDataView): PublicProposalDetail => {
  const { proposal } = application
  const item = proposalListItem(application)
  return {
    ...item,
    customer: { name: item.customer.name, cpf: shownCpf(proposal.customer.cpf, view) },
    application_id: application.application_id,
    offer_id: proposal.offer_id,
    installments: acceptedTerms(application).installments.map(fgtsInstallment),
    disbursement: publicDisbursement(proposal.disbursement),
    signature_url: proposal.signature_url,
    rejection: proposal.rejection,
    status_history: proposal.status_history
  }
}
