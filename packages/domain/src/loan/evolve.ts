import { Match } from "effect"
import { correctableFields } from "../kyc/corrections.ts"
import { disbursementOf } from "../kyc/Disbursement.ts"
import { emptyKyc, type KycValues } from "../kyc/KycValues.ts"
import { type Quote, type QuoteWish } from "../offer/Quote.ts"
import { type Cpf } from "../values/Cpf.ts"
import { type QuoteId } from "../values/ids.ts"
import { type Application, latestQuote } from "./Application.ts"
import { type ApplicationEvent, type ApplicationOpened } from "./ApplicationEvent.ts"
import { evolveProposal, type ProposalEvent } from "./evolveProposal.ts"
import { type Proposal } from "./Proposal.ts"

/** Builds a new application with its first quote pending. */
export const openApplication = (
  { _tag, at, metadata = {}, quote_id, wish, ...facts }: ApplicationOpened
): Application => ({
  ...facts,
  metadata,
  quotes: [pending(quote_id, 1, wish, at)],
  kyc: null,
  proposal: null,
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
 * Applies an event to an application. This cannot fail, because `decideApplication` has already checked the event. The start of a
 * submission is not visible to callers, so it does not change `updated_at`.
 */
export const evolveApplication = (application: Application, event: ApplicationEvent): Application => ({
  ...application,
  ...change(application, event),
  ...(event._tag === "SubmissionStarted" ? {} : { updated_at: event.at }),
  version: application.version + 1
})

const change = (application: Application, event: ApplicationEvent): Partial<Application> => {
  const { proposal } = application
  const withProposal = (changed: ProposalEvent) => ({
    proposal: proposal === null ? null : evolveProposal(proposal, changed)
  })
  return Match.value(event).pipe(Match.tagsExhaustive({
    QuoteRequested: ({ at, quote_id, requirements, wish }) => ({
      ...(requirements === undefined ? {} : { requirements }),
      quotes: [...application.quotes, pending(quote_id, latestQuote(application).number + 1, wish, at)] as const
    }),
    QuoteCompleted: ({ at, offers, unpriced }) =>
      withLatest(application, { outcome: "COMPLETED", offers, unpriced, completed_at: at }),
    QuoteRefused: ({ at, outcome, rejection, unpriced }) =>
      withLatest(application, { outcome, rejection, unpriced, completed_at: at }),
    KycSubmitted: ({ kyc }) => ({ kyc }),
    OfferAccepted: (accepted) => ({ proposal: accept(application.kyc ?? emptyKyc, accepted) }),
    ApplicationCancelled: ({ at, reason, rejection }) => ({
      cancellation: { reason, at, rejection },
      ...(latestQuote(application).outcome === "PENDING"
        ? withLatest(application, { outcome: "REJECTED", rejection, completed_at: at })
        : {})
    }),
    SubmissionStarted: withProposal,
    SubmissionRefused: (event) =>
      withProposal({ ...event, fields: correctableFields(event.fields, application.requirements) }),
    KycCorrected: (event) => ({ kyc: event.kyc, ...withProposal(event) }),
    ProposalMoved: withProposal,
    ContractUpdated: withProposal,
    ReferenceConflicted: withProposal,
    CancellationRequested: withProposal,
    WithdrawalRequested: withProposal,
    SignatureLinkRequested: withProposal,
    ExitRefused: withProposal,
    DisbursementResubmitted: (event) => ({ kyc: event.kyc, ...withProposal(event) })
  }))
}

const withLatest = ({ quotes }: Application, changed: Partial<Quote>): Pick<Application, "quotes"> => {
  const [first, ...others] = quotes
  const last = others.pop()
  return last === undefined
    ? { quotes: [{ ...first, ...changed }] }
    : { quotes: [first, ...others, { ...last, ...changed }] }
}

const accept = (
  kyc: KycValues,
  { acceptance, at, created_by, number, offer_id, origin = null, proposal_id }: ApplicationEvent & {
    readonly _tag: "OfferAccepted"
  }
): Proposal => ({
  proposal_id,
  number,
  offer_id,
  created_by,
  created_at: at,
  updated_at: at,
  acceptance,
  ...(origin === null ? {} : { origin }),
  customer: { name: kyc.name ?? "", cpf: kyc.cpf as Cpf },
  status: "SUBMITTING",
  status_history: [{ status: "SUBMITTING", at, reason: null }],
  reference: null,
  signature_url: null,
  rejection: null,
  disbursement: disbursementOf(kyc),
  disbursement_attempt: 1,
  asked_at: null
})
