import { Result, Schema, Struct } from "effect"
import { field } from "../input/field.ts"
import { type Application, contractTerms, findOffer } from "../loan/Application.ts"
import { paidAt, type Proposal, ProposalStatus, settledAt } from "../loan/Proposal.ts"
import { type Offer } from "../offer/Offer.ts"
import { type PricedOffer } from "../offer/PricedOffer.ts"
import { reaisOf } from "../values/Centavos.ts"
import { type Cpf, maskCpf } from "../values/Cpf.ts"
import { PartnerId, ProposalId } from "../values/ids.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { FgtsOffer, FgtsTable, fgtsTable } from "./FgtsOffer.ts"

/** The customer of a proposal. */
export const PublicCustomerSummary = Schema.Struct({
  name: field(
    Schema.NullOr(Schema.String),
    "The customer's name. Null after the personal data was erased.",
    "Ana Beatriz Lima"
  ),
  cpf: field(
    Schema.NullOr(Schema.String),
    "CPF, masked except for its middle digits. It is shown in full only in a single proposal, to callers with `kyc:read`. " +
      "Null after the personal data was erased.",
    "***.444.777-**"
  )
}).annotate({ identifier: "PublicCustomerSummary", description: "The customer of a proposal" })
export type PublicCustomerSummary = typeof PublicCustomerSummary.Type

/** Amounts, rates and term of a loan. */
export const PublicLoanSummary = Schema.Struct({
  ...Struct.pick(FgtsOffer.fields, [
    "gross_amount",
    "principal_amount",
    "net_amount",
    "iof_amount",
    "fee_amount",
    "monthly_rate",
    "annual_cet"
  ]),
  installments_count: field(Schema.Int, "Number of installments", 1),
  first_due_date: field(
    Schema.String.annotate({ format: "date" }),
    "Due date of the first installment, YYYY-MM-DD",
    "2026-05-01"
  ),
  last_due_date: field(
    Schema.String.annotate({ format: "date" }),
    "Due date of the last installment, YYYY-MM-DD",
    "2026-05-01"
  )
}).annotate({ identifier: "PublicLoanSummary", description: "Amounts, rates and term of the loan" })
export type PublicLoanSummary = typeof PublicLoanSummary.Type

/** A proposal as it appears in a list. */
export const PublicProposalListItem = Schema.Struct({
  proposal_id: ProposalId,
  number: field(Schema.String, "Proposal number for people: 10 characters of Crockford's base 32", "7K3Q0ZVM9T"),
  product: field(Schema.Literals(["FGTS"]), "Always `FGTS`"),
  status: field(ProposalStatus, "Proposal status", "AWAITING_SIGNATURE"),
  partner_id: field(PartnerId, "The id of the application's partner"),
  created_by: field(
    Schema.String,
    "The id of the user or API client that accepted the offer; `host:` and an id for a user of the embedding service",
    "0197f3a2-6c2d-7e4f-9a5b-0c1d2e3f4051"
  ),
  external_id: field(Schema.String, "The API consumer's own reference", "loan-4711"),
  customer: PublicCustomerSummary,
  loan: PublicLoanSummary,
  lender: field(
    Schema.NullOr(Schema.String),
    "The name of the contract's lender; null if the offer is older than this field",
    "sandbox"
  ),
  table: FgtsTable,
  created_at: field(Timestamp, "When the offer was accepted"),
  updated_at: field(Timestamp, "When the proposal last changed"),
  paid_at: field(
    Schema.NullOr(Timestamp),
    "The time of the payment that the lender states, or the time of its recording if the lender states no plausible one; null before the payment",
    null
  ),
  settled_at: field(
    Schema.NullOr(Timestamp),
    "When the contract was repaid in full; null unless the status is `SETTLED`",
    null
  )
}).annotate({ identifier: "PublicProposalListItem", description: "A proposal in a list" })
export interface PublicProposalListItem extends Schema.Schema.Type<typeof PublicProposalListItem> {}

/** An application whose offer was accepted. */
export interface ContractedApplication extends Application {
  readonly proposal: Proposal
}

/** Returns whether an offer of an application was accepted. */
export const isContracted = (application: Application): application is ContractedApplication =>
  application.proposal !== null

/** Throws if the accepted offer does not exist, which is a defect. */
const acceptedOffer = (application: ContractedApplication): Offer =>
  Result.getOrThrow(findOffer(application, application.proposal.offer_id)).offer

/** Returns the terms of the contract: the lender's final terms, or those of the accepted offer. */
export const acceptedTerms = (application: ContractedApplication): PricedOffer =>
  contractTerms(application) ?? acceptedOffer(application).terms

/** The customer of a proposal after the erasure of the personal data (PRIV-04). */
const erasedCustomer: PublicCustomerSummary = { name: null, cpf: null }

/** Returns the customer of a proposal in a response. `show` returns the CPF in full or masked. */
export const proposalCustomer = (
  { erased_at, proposal: { customer } }: Pick<ContractedApplication, "erased_at" | "proposal">,
  show: (cpf: Cpf) => string
): PublicCustomerSummary => erased_at === null ? { name: customer.name, cpf: show(customer.cpf) } : erasedCustomer

/** Converts a proposal to its form in a list. The CPF is always masked. */
export const proposalListItem = (application: ContractedApplication): PublicProposalListItem => {
  const { proposal } = application
  const terms = acceptedTerms(application)
  const { lender = null, table } = acceptedOffer(application)
  return {
    proposal_id: proposal.proposal_id,
    number: proposal.number,
    product: "FGTS",
    status: proposal.status,
    partner_id: application.partner_id,
    created_by: proposal.created_by,
    external_id: application.external_id,
    customer: proposalCustomer(application, maskCpf),
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
    lender,
    table: fgtsTable(table),
    created_at: proposal.created_at,
    updated_at: proposal.updated_at,
    paid_at: paidAt(proposal),
    settled_at: settledAt(proposal)
  }
}
