import { Schema, Struct } from "effect"
import { type PersonalDataView } from "../access/PersonalDataView.ts"
import { field } from "../input/field.ts"
import { pageSchema } from "../input/Page.ts"
import { type Application, currentRejection, latestQuote, recordingTime } from "../loan/Application.ts"
import { applicationStatus } from "../loan/ApplicationStatus.ts"
import { NextAction, nextAction } from "../loan/nextAction.ts"
import { QuoteStatus, quoteStatus } from "../loan/OfferStatus.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { type Offer } from "../offer/Offer.ts"
import { Amount } from "../values/Amount.ts"
import { reaisOf } from "../values/Centavos.ts"
import { Timestamp } from "../values/Timestamp.ts"
import { customerView, FgtsApplication } from "./FgtsApplication.ts"

/** The customer of an application in a list. */
export const FgtsCustomerSummary = Schema.Struct({
  name: field(Schema.NullOr(Schema.String), "The customer's name; null if unknown", "Ana Beatriz Lima"),
  cpf: field(
    Schema.NullOr(Schema.String),
    "CPF: 11 digits. Masked for callers without `kyc:read`. Null after the personal data was erased.",
    "11144477735"
  )
}).annotate({ identifier: "FgtsCustomerSummary", description: "The customer of an application in a list" })

/** An application as it appears in a list. */
export const FgtsApplicationListItem = Schema.Struct({
  ...Struct.pick(FgtsApplication.fields, ["application_id", "external_id", "partner_id", "created_by", "status"]),
  next_action: NextAction,
  customer: FgtsCustomerSummary,
  proposal_status: field(
    Schema.NullOr(ProposalStatus),
    "Status of the proposal; null before an offer is accepted",
    null
  ),
  quote_status: field(QuoteStatus, "Status of the latest quote", "COMPLETED"),
  best_net_amount: field(
    Schema.NullOr(Amount),
    "Highest net amount among the offers of the latest quote, expired or not, in reais; null without offers",
    462.95
  ),
  ...Struct.pick(FgtsApplication.fields, ["rejection", "proposal_id", "metadata", "created_at"]),
  updated_at: field(
    Timestamp,
    "When the last event was recorded. The expiry of an offer is not an event: it changes `status`, but not `updated_at`."
  )
}).annotate({ identifier: "FgtsApplicationListItem", description: "An application in a list" })
export interface FgtsApplicationListItem extends Schema.Schema.Type<typeof FgtsApplicationListItem> {}

/** A page of applications. */
export const FgtsApplicationsPage = pageSchema(FgtsApplicationListItem, "FgtsApplicationsPage")
export type FgtsApplicationsPage = typeof FgtsApplicationsPage.Type

/**
 * The `updated_at` of an application in a list is the time of its last event. Filters and sort orders use this time,
 * too. The passing of time alone moves no application to another page.
 * @rule PAGE-29
 */
export const listedUpdatedAt = ({ updated_at }: Pick<Application, "updated_at">): Timestamp => updated_at

/**
 * Converts an application to its form in a list, at the time of `clock` or of the last event, whichever is later. An
 * abridged application (`abridgeApplication`) is enough.
 */
export const fgtsApplicationListItem = (
  application: Application,
  clock: Timestamp,
  view: PersonalDataView
): FgtsApplicationListItem => {
  const at = recordingTime(application, clock)
  const { application_id, created_at, created_by, external_id, metadata, partner_id } = application
  const quote = latestQuote(application)
  const [best] = quote.offers
  const { cpf, name } = customerView(application, view)
  return {
    application_id,
    external_id,
    partner_id,
    created_by,
    status: applicationStatus(application, at),
    next_action: nextAction(application, at),
    customer: { name, cpf },
    proposal_status: application.proposal?.status ?? null,
    quote_status: quoteStatus(application, quote),
    best_net_amount: best === undefined ? null : reaisOf(best.terms.net_amount),
    rejection: currentRejection(application),
    proposal_id: application.proposal?.proposal_id ?? null,
    metadata,
    created_at,
    updated_at: listedUpdatedAt(application)
  }
}

const withoutInstallments = (offer: Offer): Offer => ({ ...offer, terms: { ...offer.terms, installments: [] } })

/**
 * Returns the best offer, and the offer of each lender that expires last. All offers of a lender need the same KYC
 * fields, so the returned offers determine the status and the next action at every time.
 */
const bestAndLast = (offers: ReadonlyArray<Offer>): ReadonlyArray<Offer> => {
  const last = new Map<string | undefined, Offer>()
  for (const offer of offers) {
    const known = last.get(offer.lender)
    if (known === undefined || offer.expires_at > known.expires_at) last.set(offer.lender, offer)
  }
  return offers.filter((offer, index) => index === 0 || last.get(offer.lender) === offer)
}

/**
 * Removes everything that the list item of an application does not need. The result has the proposal without its
 * history, and only the latest quote. This quote keeps the best offer and the last offer of each lender, without
 * instalments. The list item of the result equals that of the whole application.
 */
export const abridgeApplication = (application: Application): Application => {
  const quote = latestQuote(application)
  return {
    ...application,
    quotes: [{ ...quote, offers: bestAndLast(quote.offers).map(withoutInstallments), unpriced: [] }],
    proposal: application.proposal === null ? null : { ...application.proposal, status_history: [] }
  }
}
