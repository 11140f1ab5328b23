import {
  type FgtsApplication,
  fgtsApplication,
  type FgtsApplicationStatus,
  fgtsApplicationStatus,
  type FgtsKyc,
  fgtsKyc,
  type FgtsOffer,
  type FgtsQuote,
  millisOf,
  noKyc,
  type Offer,
  proposalDetail,
  proposalListItem,
  type PublicProposalDetail,
  type PublicProposalListItem,
  type Quote,
  rejectionCodes,
  type RejectionReason,
  rejectionReason,
  timestampOf
} from "@lastro/domain"
import * as fc from "fast-check"
import { application, contractedApplication } from "./histories.ts"
import { completeKyc } from "./kyc.ts"
import { timestamp } from "./partners.ts"

/** Reasons of every code, some with a time from which asking again can succeed. */
export const rejection: fc.Arbitrary<RejectionReason> = fc.tuple(
  fc.constantFrom(...rejectionCodes),
  fc.constantFrom("Operação não permitida.", "Tente mais tarde."),
  fc.option(timestamp)
).map(([code, message, retry_at]) => rejectionReason(code, message, retry_at))

/** Quotes as they are kept: pending, completed, rejected and failed. */
export const quote: fc.Arbitrary<Quote> = application.chain(({ quotes }) => fc.constantFrom(...quotes))

/** Offers as they are kept, priced for real. */
export const offer: fc.Arbitrary<Offer> = application
  .filter(({ quotes }) => quotes.some(({ offers }) => offers.length > 0))
  .chain(({ quotes }) => fc.constantFrom(...quotes.flatMap(({ offers }) => offers)))

/** Milliseconds after the last fact at which somebody looks: at once, or when offers have expired. */
const later = fc.constantFrom(0, 1_000, 25 * 3_600_000)

const view = fc.constantFrom("full" as const, "masked" as const)

/** Applications as answers show them: at any time, with all their quotes or the latest, to those who may see CPFs and others. */
export const fgtsApplicationView: fc.Arbitrary<FgtsApplication> = fc.tuple(application, later, view, fc.boolean())
  .map(([one, pause, view, quotes]) =>
    fgtsApplication(one, timestampOf(millisOf(one.updated_at) + pause), view, { quotes })
  )

/** How applications stand, as their consumers poll it. */
export const fgtsApplicationStatusView: fc.Arbitrary<FgtsApplicationStatus> = fc.tuple(application, later)
  .map(([one, pause]) => fgtsApplicationStatus(one, timestampOf(millisOf(one.updated_at) + pause)))

/** Quotes as answers show them. */
export const fgtsQuoteView: fc.Arbitrary<FgtsQuote> = fgtsApplicationView.map(({ quote }) => quote)

/** Offers as answers show them: available, expired, superseded, accepted and declined. */
export const fgtsOfferView: fc.Arbitrary<FgtsOffer> = fgtsApplicationView
  .map(({ quote, quotes }) => (quotes ?? [quote]).flatMap(({ offers }) => offers))
  .filter((offers) => offers.length > 0)
  .chain((offers) => fc.constantFrom(...offers))

/** KYCs as answers show them: empty, prefilled, partial, complete and locked. */
export const fgtsKycView: fc.Arbitrary<FgtsKyc> = application.chain((one) =>
  fc.oneof(fc.constant(noKyc), completeKyc(one.customer)).map((suggested) => fgtsKyc(one, suggested))
)

/** Proposals as lists show them. */
export const proposalListItemView: fc.Arbitrary<PublicProposalListItem> = contractedApplication.map(proposalListItem)

/** Proposals as they are read, by those who may see CPFs and others. */
export const proposalDetailView: fc.Arbitrary<PublicProposalDetail> = fc.tuple(contractedApplication, view)
  .map(([one, view]) => proposalDetail(one, view))
