import { Result, Schema } from "effect"
import { maskCpf } from "../documents/Cpf.ts"
import { type Application } from "../fgts/application/Application.ts"
import { findOffer } from "../fgts/application/decideAccept.ts"
import { type Proposal, ProposalStatus } from "../fgts/contract/Proposal.ts"
import { type PricedOffer } from "../fgts/pricing/PricedOffer.ts"
import { PartnerId } from "../id/PartnerId.ts"
import { ProposalId } from "../id/ProposalId.ts"
import { Amount, Rate } from "../money/Amount.ts"
import { reaisOf } from "../money/Centavos.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Whose proposal it is. */
export const PublicCustomerSummary = Schema.Struct({
  name: Schema.String,
  /** In lists always masked: `***.456.789-**`. */
  cpf: Schema.String
}).annotate({ identifier: "PublicCustomerSummary" })
export type PublicCustomerSummary = typeof PublicCustomerSummary.Type

/** What is lent, and how it is paid back. */
export const PublicLoanSummary = Schema.Struct({
  gross_amount: Amount,
  principal_amount: Amount,
  net_amount: Amount,
  iof_amount: Amount,
  fee_amount: Amount,
  monthly_rate: Rate,
  annual_cet: Rate,
  installments_count: Schema.Int,
  first_due_date: Schema.String.annotate({ format: "date" }),
  last_due_date: Schema.String.annotate({ format: "date" })
}).annotate({ identifier: "PublicLoanSummary" })
export type PublicLoanSummary = typeof PublicLoanSummary.Type

/** A proposal as a list shows it. */
export const PublicProposalListItem = Schema.Struct({
  proposal_id: ProposalId,
  /** What people call it by: ten characters of Crockford's base 32. */
  number: Schema.String,
  product: Schema.Literals(["FGTS"]),
  status: ProposalStatus,
  partner_id: PartnerId,
  /** The user or API client that accepted the offer. */
  created_by: Schema.String,
  external_id: Schema.String,
  customer: PublicCustomerSummary,
  loan: PublicLoanSummary,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "PublicProposalListItem" })
export type PublicProposalListItem = typeof PublicProposalListItem.Type

/** An application whose offer was accepted. */
export interface Contracted extends Application {
  readonly proposal: Proposal
}

/** Whether an offer of an application was accepted. */
export const isContracted = (application: Application): application is Contracted => application.proposal !== null

/** What was accepted. Throws when no such offer exists: a defect. */
export const acceptedTerms = (application: Contracted): PricedOffer =>
  Result.getOrThrow(findOffer(application, application.proposal.offer_id)).offer.terms

/** A proposal as a list shows it: without personal data beyond the name. */
export const proposalListItem = (application: Contracted): PublicProposalListItem => {
  const { proposal } = application
  const terms = acceptedTerms(application)
  return {
    proposal_id: proposal.proposal_id,
    number: proposal.number,
    product: "FGTS",
    status: proposal.status,
    partner_id: application.partner_id,
    created_by: proposal.created_by,
    external_id: application.external_id,
    customer: { name: proposal.customer.name, cpf: maskCpf(proposal.customer.cpf) },
    loan: {
      gross_amount: reaisOf(terms.gross_amount),
      principal_amount: reaisOf(terms.principal_amount),
      net_amount: reaisOf(terms.net_amount),
      iof_amount: reaisOf(terms.iof_amount),
      fee_amount: reaisOf(terms.fee_amount),
      monthly_rate: terms.monthly_rate,
      annual_cet: terms.annual_cet,
      installments_count: terms.installments.length,
      first_due_date: terms.installments[0]?.due_date ?? "",
      last_due_date: terms.installments.at(-1)?.due_date ?? ""
    },
    created_at: proposal.created_at,
    updated_at: proposal.updated_at
  }
}
