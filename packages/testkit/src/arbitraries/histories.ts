import {
  type Application,
  type ApplicationCommand,
  type ApplicationEvent,
  type ApplicationId,
  type ApplicationOpened,
  type Contracted,
  decide,
  evolve,
  isContracted,
  type KycValues,
  latestQuote,
  millisOf,
  type OfferId,
  opened,
  type Proposal,
  type ProposalId,
  type ProposalNumber,
  type QuoteId,
  rejectionReason,
  type Timestamp,
  timestampOf
} from "@lastro/domain"
import { Result } from "effect"
import * as fc from "fast-check"
import { offeredFor } from "../lender/offeredFor.ts"
import { standing } from "../lender/standing.ts"
import { contractedHappenings, type Happening, happenings, type Timed, wish } from "./happenings.ts"
import { customer } from "./kyc.ts"
import { partnerId } from "./partners.ts"
import { quotationFor } from "./quotations.ts"

/** A command that was not refused, and what came of it. */
export interface HistoryStep {
  readonly command: ApplicationCommand
  readonly events: ReadonlyArray<ApplicationEvent>
  readonly after: Application
}

/** An application from its opening on. */
export interface History {
  readonly opening: ApplicationOpened
  readonly steps: ReadonlyArray<HistoryStep>
  /** As it is in the end. */
  readonly application: Application
}

const unreachable = rejectionReason("UPSTREAM_UNAVAILABLE", "The lender did not answer.")

/** What a happening asks of an application as it is; nothing where it has no offer to accept. */
const commandOf = (
  happening: Happening,
  application: Application,
  at: Timestamp
): ApplicationCommand | undefined => {
  const quote = latestQuote(application)
  switch (happening._tag) {
    case "Requote":
      return { _tag: "RequestQuote", at, quote_id: happening.id as QuoteId, wish: happening.wish }
    case "Quotation":
      return {
        _tag: "RecordQuote",
        at,
        quote_id: quote.quote_id,
        result: happening.answer === null
          ? { kind: "FAILED", rejection: unreachable }
          : quotationFor(happening.answer, offeredFor(application), at),
        offer_ids: happening.ids.map((id) => id as OfferId)
      }
    case "Kyc":
      return { _tag: "SubmitKyc", at, kyc: submitted(happening.kyc, application), says_where_to_pay: true }
    case "Accept": {
      const offer = quote.offers[happening.offer % Math.max(1, quote.offers.length)]
      return offer && {
        _tag: "AcceptOffer",
        at,
        offer_id: offer.offer_id,
        proposal_id: happening.id as ProposalId,
        number: happening.number as ProposalNumber,
        created_by: application.created_by,
        acceptance: { accepted_at: at, ip: "192.0.2.1", user_agent: null }
      }
    }
    case "Contract":
      return {
        _tag: "RecordContract",
        at,
        contract: {
          reference: `contract-${application.application_id}${happening.renamed ? "-new" : ""}`,
          ...standing(happening.status),
          disbursement_attempt: application.proposal?.disbursement_attempt ?? 1
        }
      }
  }
}

/** After an acceptance only where to pay may be told anew. */
const submitted = ({ bank, disbursement_method, pix, ...person }: KycValues, { kyc, proposal }: Application) =>
  proposal === null || kyc === null
    ? { ...person, bank, disbursement_method, pix }
    : { ...kyc, bank, disbursement_method, pix }

/** What comes of happenings to an application. */
export const historyOf = (opening: ApplicationOpened, happenings: ReadonlyArray<Timed>): History => {
  const steps: Array<HistoryStep> = []
  let application = opened(opening)
  let millis = millisOf(opening.at)
  for (const [pause, happening] of happenings) {
    millis += pause
    const command = commandOf(happening, application, timestampOf(millis))
    const events = command === undefined ? undefined : Result.getOrUndefined(decide(command, application))
    if (command === undefined || events === undefined || events.length === 0) continue
    application = events.reduce(evolve, application)
    steps.push({ command, events, after: application })
  }
  return { opening, steps, application }
}

/** Instants of examples: days of each policy, those on which one follows another among them. */
export const originationTime: fc.Arbitrary<Timestamp> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 5) }) },
  { weight: 1, arbitrary: fc.integer({ min: Date.UTC(2022, 0), max: Date.UTC(2027, 11) }) },
  { weight: 1, arbitrary: fc.nat({ max: 60_000 }).map((ms) => Date.UTC(2026, 10, 1, 3) - 30_000 + ms) }
).map(timestampOf)

const uuid = fc.uuid({ version: 7 })

/** Openings of applications. */
export const opening: fc.Arbitrary<ApplicationOpened> = fc.record({
  _tag: fc.constant("ApplicationOpened"),
  at: originationTime,
  application_id: uuid.map((id) => id as ApplicationId),
  external_id: fc.oneof(fc.nat({ max: 9 }).map((number) => `loan-${number}`), uuid),
  partner_id: partnerId,
  created_by: uuid,
  customer,
  quote_id: uuid.map((id) => id as QuoteId),
  wish
})

const historyBy = (happen: (opening: ApplicationOpened) => fc.Arbitrary<ReadonlyArray<Timed>>) =>
  opening.chain((one) => happen(one).map((happenings) => historyOf(one, happenings)))

/** Applications with everything that happened to them: commands that were not refused, at rising times. */
export const history = (maxLength = 12): fc.Arbitrary<History> =>
  historyBy(({ customer }) => happenings(customer, maxLength))

/** Applications an offer of which was accepted, but for the few that no offer is priced in. */
export const contractedHistory: fc.Arbitrary<History> = historyBy(({ customer }) => contractedHappenings(customer))

/** Applications in any state that they come to. */
export const application: fc.Arbitrary<Application> = history().map(({ application }) => application)

/** Applications an offer of which was accepted, in any state that their proposals come to. */
export const contractedApplication: fc.Arbitrary<Contracted> = contractedHistory
  .map(({ application }) => application)
  .filter(isContracted)

/** Proposals in any state that they come to. */
export const proposal: fc.Arbitrary<Proposal> = contractedApplication.map(({ proposal }) => proposal)
