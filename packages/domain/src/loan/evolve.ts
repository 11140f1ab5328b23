import { Result } from "effect"
import { disbursementOf } from "../kyc/Disbursement.ts"
import { basicRequirements } from "../kyc/KycRequirements.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { type Quote } from "../offer/Quote.ts"
import { type QuotePart } from "../offer/QuotePart.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, findOffer, latestQuote } from "./Application.ts"
import { evolveProposal } from "./evolveProposal.ts"
import {
  type ApplicationCancelled,
  type ApplicationOpened,
  type LenderOffered,
  type LenderRejected,
  type LoanEvent,
  type OfferAccepted,
  type QuoteCompleted,
  type QuoteRejected,
  type QuoteRequested
} from "./LoanEvent.ts"
import { type Proposal } from "./Proposal.ts"
import { type ProposalEvent } from "./ProposalEvent.ts"
import { mergeOffers, newParts, requirementsOfOffer, requirementsOfQuote, skipParts, withPart } from "./quoteParts.ts"
import { isInvisible } from "./visibleVersion.ts"

/** Builds a new application with its first quote pending. */
export const openApplication = (
  { _tag, at, lenders, metadata = {}, quote_id, requirements = basicRequirements, routing, wish, ...facts }:
    ApplicationOpened
): Application => {
  const quote = newQuote({ quote_id, at, wish, lenders, routing }, 1)
  return {
    ...facts,
    metadata,
    requirements: requirementsOfQuote(quote, at, requirements),
    quotes: [quote],
    kyc: null,
    cancellation: null,
    proposal: null,
    partner_deleted_at: null,
    erased_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
}

interface NewQuote extends Pick<QuoteRequested, "at" | "quote_id" | "wish"> {
  readonly lenders: QuoteRequested["lenders"] | undefined
  readonly routing: QuoteRequested["routing"] | undefined
}

const newQuote = ({ at, lenders, quote_id, routing, wish }: NewQuote, number: number): Quote => ({
  quote_id,
  number,
  wish,
  outcome: "PENDING",
  offers: [],
  unpriced: [],
  rejection: null,
  created_at: at,
  completed_at: null,
  ...(lenders === undefined ? {} : { parts: newParts(lenders, routing, at) }),
  ...(routing === undefined ? {} : { routing })
})

/**
 * Applies an event to a loan. It cannot fail, because `decide` has already checked the event. An invisible event
 * (PROP-16) does not change `updated_at`.
 */
export const evolve = (application: Application, event: LoanEvent): Application => ({
  ...application,
  ...change(application, event),
  ...(isInvisible(event) ? {} : { updated_at: event.at }),
  version: application.version + 1
})

const change = (application: Application, event: LoanEvent): Partial<Application> => {
  const { at } = event
  switch (event._tag) {
    // The lenders of the latest quote.
    case "LenderAsked":
      return withRequirements(application, at, changePart(application, event, { outcome: "PENDING", asked_at: at }))
    case "LenderSkipped":
      return changePart(application, event, { outcome: "SKIPPED", completed_at: at })
    case "LenderPostponed":
      return changePart(application, event, { postponed_until: event.until })
    case "LenderFailed":
      return changePart(application, event, { outcome: "FAILED", rejection: event.rejection, completed_at: at })
    case "LenderRejected":
      return addRejection(application, event)
    case "LenderOffered":
      return addOffers(application, event)

    // The quote.
    case "QuoteRequested":
      return requestQuote(application, event)
    case "QuoteCompleted":
      return completeQuote(application, event)
    case "QuoteRejected": {
      const { rejection, unpriced } = event
      return endQuote(application, at, { outcome: "REJECTED", rejection, unpriced, ...blockOf(event) })
    }
    case "QuoteFailed":
      return endQuote(application, at, { outcome: "FAILED", rejection: event.rejection })

    // The customer.
    case "KycSubmitted":
      return { kyc: event.kyc }
    case "OfferAccepted":
      return acceptOffer(application, event)
    case "ApplicationCancelled":
      return cancel(application, event)

    // The proposal.
    case "DataCorrected":
    case "DisbursementCorrected":
      return { kyc: event.kyc, ...changeProposal(application, event) }
    default:
      return changeProposal(application, event)
  }
}

/** Adds the rejection of one lender to the latest quote. */
const addRejection = (application: Application, event: LenderRejected): Partial<Application> => {
  const { at, rejection, unpriced } = event
  return changePart(
    application,
    event,
    { outcome: "REJECTED", rejection, completed_at: at },
    (quote) => ({ unpriced: [...quote.unpriced, ...unpriced], ...blockOf(event) })
  )
}

/** Adds the offers of one lender to the latest quote. While the quote is pending, the part of this lender holds them. */
const addOffers = (application: Application, event: LenderOffered): Partial<Application> => {
  const { at, offers, unpriced } = event
  const isPending = latestQuote(application).outcome === "PENDING"
  const changed = changePart(
    application,
    event,
    { outcome: "COMPLETED", completed_at: at, ...(isPending ? { held: offers } : {}) },
    (quote) => ({
      unpriced: [...quote.unpriced, ...unpriced],
      ...(isPending ? {} : { offers: mergeOffers(quote, [...quote.offers, ...offers]) }),
      ...blockOf(event)
    })
  )
  return isPending ? changed : withRequirements(application, at, changed)
}

const requestQuote = (application: Application, event: QuoteRequested): Partial<Application> => {
  const { at, lenders, quote_id, requirements = application.requirements, routing, wish } = event
  const next = newQuote({ quote_id, at, wish, lenders, routing }, latestQuote(application).number + 1)
  return {
    requirements: requirementsOfQuote(next, at, requirements),
    quotes: [...skipOpenParts(application, at).quotes, next]
  }
}

/** Completes the latest quote. Pending lenders can still answer. */
const completeQuote = (application: Application, event: QuoteCompleted): Partial<Application> => {
  const { at, offers, unpriced } = event
  const parts = skipParts(latestQuote(application), ["WAITING"], at)
  const end: Partial<Quote> = { outcome: "COMPLETED", offers, unpriced, completed_at: at }
  return withRequirements(application, at, changeLatestQuote(application, { ...end, ...blockOf(event), ...parts }))
}

/** Ends the latest quote without an offer. */
const endQuote = (application: Application, at: Timestamp, end: Partial<Quote>): Partial<Application> => {
  const parts = skipParts(latestQuote(application), openOutcomes, at)
  return changeLatestQuote(application, { ...end, completed_at: at, ...parts })
}

const cancel = (application: Application, { at, reason, rejection }: ApplicationCancelled): Partial<Application> => {
  const isPending = latestQuote(application).outcome === "PENDING"
  const skipped = skipOpenParts(application, at)
  return {
    cancellation: { reason, at, rejection },
    ...(isPending ? changeLatestQuote(skipped, { outcome: "REJECTED", rejection, completed_at: at }) : skipped)
  }
}

const acceptOffer = (application: Application, event: OfferAccepted): Partial<Application> => {
  const found = Result.getOrUndefined(findOffer(application, event.offer_id))
  return {
    proposal: newProposal(application.kyc ?? emptyKyc, event),
    ...skipOpenParts(application, event.at),
    ...(found === undefined ? {} : { requirements: requirementsOfOffer(application, found.quote, found.offer) })
  }
}

const changeProposal = ({ proposal }: Application, event: ProposalEvent): Partial<Application> =>
  proposal === null ? {} : { proposal: evolveProposal(proposal, event) }

const openOutcomes: ReadonlyArray<QuotePart["outcome"]> = ["PENDING", "WAITING"]

/** Sets the open parts of the latest quote to SKIPPED. */
const skipOpenParts = (application: Application, at: Timestamp): Pick<Application, "quotes"> =>
  latestQuote(application).routing === undefined
    ? { quotes: application.quotes }
    : changeLatestQuote(application, skipParts(latestQuote(application), openOutcomes, at))

/** Changes the part of the latest quote at the lender of the event, and then the quote by `quoteChange`. */
const changePart = (
  application: Application,
  { lender }: { readonly lender: string },
  change: Partial<QuotePart>,
  quoteChange: (quote: Quote) => Partial<Quote> = () => ({})
): Pick<Application, "quotes"> => {
  const quote = latestQuote(application)
  return changeLatestQuote(application, { ...withPart(quote, lender, change), ...quoteChange(quote) })
}

/** Sets the KYC requirements of the lenders that count at a time (QUOTE-04). */
const withRequirements = (
  { requirements }: Application,
  at: Timestamp,
  changed: Pick<Application, "quotes">
): Pick<Application, "quotes" | "requirements"> => ({
  ...changed,
  requirements: requirementsOfQuote(latestQuote(changed), at, requirements)
})

const blockOf = (
  { blocked_until }: LenderOffered | LenderRejected | QuoteCompleted | QuoteRejected
): Pick<Quote, "blocked_until"> => blocked_until === undefined ? {} : { blocked_until }

const changeLatestQuote = (
  { quotes }: Pick<Application, "quotes">,
  change: Partial<Quote>
): Pick<Application, "quotes"> => {
  const [first, ...others] = quotes
  const last = others.pop()
  return { quotes: last === undefined ? [{ ...first, ...change }] : [first, ...others, { ...last, ...change }] }
}

const newProposal = (
  kyc: KycValues,
  { acceptance, at, commission, created_by, lender, number, offer_id, origin, proposal_id }: OfferAccepted
): Proposal => ({
  proposal_id,
  number,
  offer_id,
  created_by,
  created_at: at,
  updated_at: at,
  acceptance,
  origin,
  commission,
  lender: lender ?? null,
  customer: { name: kyc.name ?? "", cpf: kyc.cpf as Cpf },
  status_history: [{ status: "SUBMITTING", at, reason: null }],
  submitted_at: null,
  invisible_events: 0,
  disbursement: disbursementOf(kyc),
  disbursement_attempt: 1,
  status: "SUBMITTING",
  contract: null,
  conflicting_reference: null
})
