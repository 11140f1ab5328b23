import { type Disbursement, emptyKyc, type FgtsKyc, fgtsKyc } from "@lastro/domain/kyc"
import { openApplication } from "@lastro/domain/loan"
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
  proposalDetail,
  type PublicProposalDetail
} from "@lastro/domain/origination"
import { addMillis } from "@lastro/domain/values"
import * as fc from "fast-check"
import { type OfferedFor, offeredFor } from "../offer/offerWithNet.ts"
import { quotationFor } from "../offer/quotationFor.ts"
import { application, contractedApplication, opening, proposal } from "./histories.ts"
import { lenderTable } from "./historyInputs.ts"
import { completeKyc } from "./kyc.ts"
import { timestamp } from "./partners.ts"

/** Disbursements to PIX keys and bank accounts. */
export const disbursement: fc.Arbitrary<Disbursement> = proposal.map(({ disbursement }) => disbursement)

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
 * The time from the last change of the application to the response, in milliseconds: none, one second, or longer than
 * the lifetime of an offer.
 */
const later = fc.constantFrom(0, 1_000, 25 * 3_600_000)

const view = fc.constantFrom("full" as const, "masked" as const)

/**
 * Applications in their form in responses: at different times after the last change, with all quotes or only the
 * latest, and with full or masked CPFs.
 */
export const fgtsApplicationView: fc.Arbitrary<FgtsApplication> = fc.tuple(application, later, view, fc.boolean())
  .map(([application, pause, view, quotes]) =>
    fgtsApplication(application, addMillis(application.updated_at, pause), view, { quotes })
  )

/** KYCs in their form in responses: empty, prefilled, partial, complete and locked. */
export const fgtsKycView: fc.Arbitrary<FgtsKyc> = application.chain((application) =>
  fc.oneof(fc.constant(emptyKyc), completeKyc(application.customer)).map((suggested) => fgtsKyc(application, suggested))
)

/** Proposals with all details, with full or masked CPFs. */
export const proposalDetailView: fc.Arbitrary<PublicProposalDetail> = fc.tuple(contractedApplication, view)
  .map(([application, view]) => proposalDetail(application, view))
