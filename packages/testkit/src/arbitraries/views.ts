import { emptyKyc, type FgtsKyc, fgtsKyc } from "@lastro/domain/kyc"
import { type Offer, type Quote, rejectionCodes, type RejectionReason, rejectionReason } from "@lastro/domain/offer"
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
import * as fc from "fast-check"
import { application, contractedApplication } from "./histories.ts"
import { completeKyc } from "./kyc.ts"
import { timestamp } from "./partners.ts"

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
 * The time from the last change of the application to the response, in milliseconds: zero, one second, or longer than an offer is valid.
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
