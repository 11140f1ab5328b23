import { type Disbursement, emptyKyc, type FgtsKyc, fgtsKyc } from "@lastro/domain/kyc"
import { type ContractSubmission, findOffer, type LenderContract, openApplication } from "@lastro/domain/loan"
import {
  type LenderOffer,
  type Offer,
  type Quote,
  rejectionCodes,
  type RejectionReason,
  rejectionReason
} from "@lastro/domain/offer"
import {
  type FgtsApplication,
  fgtsApplication,
  type FgtsApplicationStatus,
  fgtsApplicationStatus,
  type FgtsOffer,
  type FgtsQuote,
  proposalDetail,
  proposalListItem,
  type PublicProposalDetail,
  type PublicProposalListItem
} from "@lastro/domain/origination"
import { millisOf, timestampOf } from "@lastro/domain/values"
import { Result } from "effect"
import * as fc from "fast-check"
import { type OfferedFor, offeredFor } from "../offer/offerWithNet.ts"
import { contractState, quotationFor } from "../offer/quotationFor.ts"
import { application, contractedApplication, opening, proposal } from "./histories.ts"
import { lenderStatus, lenderTable, wish } from "./historyInputs.ts"
import { completeKyc, customer } from "./kyc.ts"
import { metadata, timestamp } from "./partners.ts"

/** Disbursements to PIX keys and bank accounts. */
export const disbursement: fc.Arbitrary<Disbursement> = proposal.map(({ disbursement }) => disbursement)

/** Contracts at a lender, in every status. */
export const lenderContract: fc.Arbitrary<LenderContract> = fc.record({
  reference: fc.uuid({ version: 7 }).map((id) => `contract-${id}`),
  status: lenderStatus,
  disbursement_attempt: fc.integer({ min: 1, max: 3 })
}).map((contract) => ({ ...contract, ...contractState(contract.status) }))

/** Submissions of contracts to a lender. */
export const contractSubmission: fc.Arbitrary<ContractSubmission> = contractedApplication.map((application) => ({
  proposal_id: application.proposal.proposal_id,
  application_id: application.application_id,
  accepted_at: application.proposal.created_at,
  acceptance: application.proposal.acceptance,
  origin: null,
  offer: Result.getOrThrow(findOffer(application, application.proposal.offer_id)).offer,
  customer: application.customer,
  kyc: application.kyc ?? emptyKyc,
  disbursement: application.proposal.disbursement
}))

/** Request bodies that create an application, in canonical form. Optional fields are absent or null. */
export const createApplicationBody = fc.tuple(
  fc.record({ external_id: fc.nat({ max: 9_999 }).map((number) => `loan-${number}`), customer, metadata }),
  wish
).map(([body, { desired_amount, max_installments }]) => ({
  ...body,
  ...(max_installments === null ? {} : { max_installments }),
  desired_amount: desired_amount === null ? null : desired_amount / 100
}))

/** Request bodies that accept an offer, with and without the evidence of consent (`ip`, `user_agent`). */
export const acceptOfferBody = fc.record(
  {
    terms_accepted: fc.constant(true as const),
    ip: fc.oneof(fc.ipV4(), fc.constant(null)),
    user_agent: fc.oneof(fc.constantFrom("Example/1.0", "Mozilla/5.0"), fc.constant(null))
  },
  { requiredKeys: ["terms_accepted"] }
)

/** An offer, and the request for which it was priced. */
export interface OfferExample {
  readonly offered: OfferedFor
  readonly offer: LenderOffer
}

/** Lender offers, priced by the domain, that comply with the policy and with their request. */
export const lenderOffer: fc.Arbitrary<OfferExample> = fc.tuple(opening, lenderTable)
  .map(([opening, table]): ReadonlyArray<OfferExample> => {
    const offered = offeredFor(openApplication(opening))
    const quotation = quotationFor({ kind: "PRICED", tables: [{ ...table, spoiled: null }] }, offered, opening.at)
    return quotation.kind === "PRICED" ? quotation.offers.map((offer) => ({ offered, offer })) : []
  })
  .filter((examples): examples is readonly [OfferExample] => examples.length === 1)
  .map(([example]) => example)

/** Rejection reasons with any code. Some state when the customer can retry. */
export const rejection: fc.Arbitrary<RejectionReason> = fc.tuple(
  fc.constantFrom(...rejectionCodes),
  fc.constantFrom("Operação não permitida.", "Tente mais tarde."),
  fc.option(timestamp)
).map(([code, message, retry_at]) => rejectionReason(code, message, retry_at))

/** Stored quotes: pending, completed, rejected and failed. */
export const quote: fc.Arbitrary<Quote> = application.chain(({ quotes }) => fc.constantFrom(...quotes))

/** Stored offers, priced by the domain. */
export const offer: fc.Arbitrary<Offer> = application
  .filter(({ quotes }) => quotes.some(({ offers }) => offers.length > 0))
  .chain(({ quotes }) => fc.constantFrom(...quotes.flatMap(({ offers }) => offers)))

/**
 * The time from the last change of the application to the response, in milliseconds: zero, one second, or longer than
 * an offer is valid.
 */
const later = fc.constantFrom(0, 1_000, 25 * 3_600_000)

const view = fc.constantFrom("full" as const, "masked" as const)

/**
 * Applications as they appear in responses: at different times after the last change, with all quotes or only the
 * latest, and with full or masked CPFs.
 */
export const fgtsApplicationView: fc.Arbitrary<FgtsApplication> = fc.tuple(application, later, view, fc.boolean())
  .map(([one, pause, view, quotes]) =>
    fgtsApplication(one, timestampOf(millisOf(one.updated_at) + pause), view, { quotes })
  )

/** Application statuses, as they appear in responses to API clients that poll. */
export const fgtsApplicationStatusView: fc.Arbitrary<FgtsApplicationStatus> = fc.tuple(application, later)
  .map(([one, pause]) => fgtsApplicationStatus(one, timestampOf(millisOf(one.updated_at) + pause)))

/** Quotes as they appear in responses. */
export const fgtsQuoteView: fc.Arbitrary<FgtsQuote> = fgtsApplicationView.map(({ quote }) => quote)

/** Offers as they appear in responses: available, expired, superseded, accepted and declined. */
export const fgtsOfferView: fc.Arbitrary<FgtsOffer> = fgtsApplicationView
  .map(({ quote, quotes }) => (quotes ?? [quote]).flatMap(({ offers }) => offers))
  .filter((offers) => offers.length > 0)
  .chain((offers) => fc.constantFrom(...offers))

/** KYCs as they appear in responses: empty, prefilled, partial, complete and locked. */
export const fgtsKycView: fc.Arbitrary<FgtsKyc> = application.chain((one) =>
  fc.oneof(fc.constant(emptyKyc), completeKyc(one.customer)).map((suggested) => fgtsKyc(one, suggested))
)

/** Proposals as list items. */
export const proposalListItemView: fc.Arbitrary<PublicProposalListItem> = contractedApplication.map(proposalListItem)

/** Proposals with all details, with full or masked CPFs. */
export const proposalDetailView: fc.Arbitrary<PublicProposalDetail> = fc.tuple(contractedApplication, view)
  .map(([one, view]) => proposalDetail(one, view))
