import { correctableFields } from "../kyc/corrections.ts"
import { disbursementOf } from "../kyc/Disbursement.ts"
import { basicRequirements } from "../kyc/KycRequirements.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { type Quote, type QuoteWish } from "../offer/Quote.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type QuoteId } from "../values/ids.ts"
import { type Application, latestQuote } from "./Application.ts"
import { evolveProposal } from "./evolveProposal.ts"
import {
  type ApplicationOpened,
  type LoanEvent,
  type OfferAccepted,
  type QuoteCompleted,
  type QuoteRejected
} from "./LoanEvent.ts"
import { type Proposal } from "./Proposal.ts"
import { isInvisible } from "./visibleVersion.ts"

/** Builds a new application with its first quote pending. */
export const openApplication = (
  { _tag, at, metadata = {}, quote_id, requirements = basicRequirements, wish, ...facts }: ApplicationOpened
): Application => ({
  ...facts,
  metadata,
  requirements,
  quotes: [pending(quote_id, 1, wish, at)],
  kyc: null,
  cancellation: null,
  proposal: null,
  partner_deleted_at: null,
  erased_at: null,
  created_at: at,
  updated_at: at,
  version: 1
})

const pending = (quote_id: QuoteId, number: number, wish: QuoteWish, at: Quote["created_at"]): Quote => ({
  quote_id,
  number,
  wish,
  outcome: "PENDING",
  offers: [],
  unpriced: [],
  rejection: null,
  created_at: at,
  completed_at: null
})

/**
 * Applies an event to a loan. This cannot fail, because `decide` has already checked the event. An event that is not
 * visible to callers does not change `updated_at`.
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
      const { at, quote_id, requirements: present = requirements, wish } = event
      const next = pending(quote_id, latestQuote(application).number + 1, wish, at)
      return { requirements: present, quotes: [...application.quotes, next] }
    }
    case "QuoteCompleted": {
      const { at, offers, unpriced } = event
      return endQuote(application, { outcome: "COMPLETED", offers, unpriced, completed_at: at, ...blockOf(event) })
    }
    case "QuoteRejected": {
      const { at, rejection, unpriced } = event
      return endQuote(application, { outcome: "REJECTED", rejection, unpriced, completed_at: at, ...blockOf(event) })
    }
    case "QuoteFailed":
      return endQuote(application, { outcome: "FAILED", rejection: event.rejection, completed_at: event.at })
    case "ApplicationCancelled": {
      const { at, reason, rejection } = event
      const isPending = latestQuote(application).outcome === "PENDING"
      return {
        cancellation: { reason, at, rejection },
        ...(isPending ? endQuote(application, { outcome: "REJECTED", rejection, completed_at: at }) : {})
      }
    }
    case "KycSubmitted":
      return { kyc: event.kyc }
    case "OfferAccepted":
      return { proposal: accept(application.kyc ?? emptyKyc, event) }
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

const blockOf = ({ blocked_until }: QuoteCompleted | QuoteRejected): Pick<Quote, "blocked_until"> =>
  blocked_until === undefined ? {} : { blocked_until }

const endQuote = ({ quotes }: Application, end: Partial<Quote>): Pick<Application, "quotes"> => {
  const [first, ...others] = quotes
  const last = others.pop()
  return { quotes: last === undefined ? [{ ...first, ...end }] : [first, ...others, { ...last, ...end }] }
}

const accept = (
  kyc: KycValues,
  { acceptance, at, commission, created_by, number, offer_id, origin, proposal_id }: OfferAccepted
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
  customer: { name: kyc.name ?? "", cpf: kyc.cpf as Cpf },
  status_history: [{ status: "SUBMITTING", at, reason: null }],
  submitted_at: null,
  submissions: 0,
  disbursement: disbursementOf(kyc),
  disbursement_attempt: 1,
  status: "SUBMITTING",
  contract: null,
  conflicting_reference: null
})
