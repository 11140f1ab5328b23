import { Result } from "effect"
import { correctableFields } from "../kyc/corrections.ts"
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
import { mergeOffers, newParts, requirementsOfOffer, requirementsOfQuote, skipParts, withPart } from "./quoteParts.ts"
import { isInvisible } from "./visibleVersion.ts"

/** Builds a new application with its first quote pending. */
export const openApplication = (
  { _tag, at, lenders, metadata = {}, quote_id, requirements = basicRequirements, routing, wish, ...facts }:
    ApplicationOpened
): Application => {
  const quote = pending({ quote_id, at, wish, lenders, routing }, 1)
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

const pending = ({ at, lenders, quote_id, routing, wish }: NewQuote, number: number): Quote => ({
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
  const { proposal, requirements } = application
  switch (event._tag) {
    case "QuoteRequested": {
      const { at, lenders, quote_id, requirements: present = requirements, routing, wish } = event
      const next = pending({ quote_id, at, wish, lenders, routing }, latestQuote(application).number + 1)
      const quotes = [...skipOpenParts(application, at).quotes, next] as const
      return { requirements: requirementsOfQuote(next, at, present), quotes }
    }
    case "LenderAsked":
      return withRequirements(
        application,
        event.at,
        changePart(application, event, { outcome: "PENDING", asked_at: event.at })
      )
    case "LenderSkipped":
      return changePart(application, event, { outcome: "SKIPPED", completed_at: event.at })
    case "LenderFailed":
      return changePart(application, event, {
        outcome: "FAILED",
        rejection: event.rejection,
        completed_at: event.at
      })
    case "LenderRejected":
      return changePart(
        application,
        event,
        { outcome: "REJECTED", rejection: event.rejection, completed_at: event.at },
        (quote) => ({ unpriced: [...quote.unpriced, ...event.unpriced], ...blockOf(event) })
      )
    case "LenderOffered": {
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
      return isPending ? changed : withRequirements(application, event.at, changed)
    }
    case "QuoteCompleted": {
      const { at, offers, unpriced } = event
      const parts = skipParts(latestQuote(application), ["WAITING"], at)
      const end: Partial<Quote> = {
        outcome: "COMPLETED",
        offers,
        unpriced,
        completed_at: at,
        ...blockOf(event),
        ...parts
      }
      return withRequirements(application, at, changeLatestQuote(application, end))
    }
    case "QuoteRejected": {
      const { at, rejection, unpriced } = event
      const parts = skipParts(latestQuote(application), openOutcomes, at)
      const end: Partial<Quote> = {
        outcome: "REJECTED",
        rejection,
        unpriced,
        completed_at: at,
        ...blockOf(event),
        ...parts
      }
      return changeLatestQuote(application, end)
    }
    case "QuoteFailed": {
      const { at, rejection } = event
      const parts = skipParts(latestQuote(application), openOutcomes, at)
      return changeLatestQuote(application, { outcome: "FAILED", rejection, completed_at: at, ...parts })
    }
    case "ApplicationCancelled": {
      const { at, reason, rejection } = event
      const isPending = latestQuote(application).outcome === "PENDING"
      const { quotes } = skipOpenParts(application, at)
      return {
        cancellation: { reason, at, rejection },
        ...(isPending
          ? changeLatestQuote({ quotes }, { outcome: "REJECTED", rejection, completed_at: at })
          : { quotes })
      }
    }
    case "KycSubmitted":
      return { kyc: event.kyc }
    case "OfferAccepted": {
      const found = Result.getOrUndefined(findOffer(application, event.offer_id))
      return {
        proposal: accept(application.kyc ?? emptyKyc, event),
        ...skipOpenParts(application, event.at),
        ...(found === undefined
          ? {}
          : { requirements: requirementsOfOffer(application, found.quote, found.offer) })
      }
    }
    case "SubmissionRefused": {
      const fields = correctableFields(event.fields, requirements)
      return proposal === null ? {} : { proposal: evolveProposal(proposal, { ...event, fields }) }
    }
    default:
      return {
        ...("kyc" in event ? { kyc: event.kyc } : {}),
        ...(proposal === null ? {} : { proposal: evolveProposal(proposal, event) })
      }
  }
}

const openOutcomes: ReadonlyArray<QuotePart["outcome"]> = ["PENDING", "WAITING"]

/** Sets the open parts of the latest quote to SKIPPED. */
const skipOpenParts = (application: Application, at: Timestamp): Pick<Application, "quotes"> =>
  latestQuote(application).routing === undefined
    ? { quotes: application.quotes }
    : changeLatestQuote(application, skipParts(latestQuote(application), openOutcomes, at))

/** Changes the latest quote, and its part at the lender of the event. */
const changePart = (
  application: Application,
  { lender }: { readonly lender: string },
  change: Partial<QuotePart>,
  more: (quote: Quote) => Partial<Quote> = () => ({})
): Pick<Application, "quotes"> => {
  const quote = latestQuote(application)
  return changeLatestQuote(application, { ...withPart(quote, lender, change), ...more(quote) })
}

/** Sets the KYC requirements of the lenders that count now (QUOTE-04). */
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

const accept = (
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
