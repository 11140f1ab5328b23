import { type KycValues } from "@lastro/domain/kyc"
import {
  type Application,
  type ApplicationOpened,
  decide,
  evolve,
  latestQuote,
  lenderContractStatuses,
  type LoanCommand,
  type LoanEvent,
  openApplication,
  type Proposal,
  type ProposalNumber
} from "@lastro/domain/loan"
import { rejectionReason } from "@lastro/domain/offer"
import { type ContractedApplication, isContracted } from "@lastro/domain/origination"
import {
  type ApplicationId,
  millisOf,
  type OfferId,
  type ProposalId,
  type QuoteId,
  type Timestamp,
  timestampOf
} from "@lastro/domain/values"
import { Result } from "effect"
import * as fc from "fast-check"
import { offeredFor } from "../offer/offerWithNet.ts"
import { contractState, quotationFor } from "../offer/quotationFor.ts"
import { contractedHistoryInputs, type HistoryInput, historyInputs, type TimedInput, wish } from "./historyInputs.ts"
import { customer } from "./kyc.ts"
import { metadata, partnerId } from "./partners.ts"

/** A successful command, its events and the resulting state. */
export interface HistoryStep {
  readonly command: LoanCommand
  readonly events: ReadonlyArray<LoanEvent>
  readonly after: Application
}

/** An application, with the commands that produced it. */
export interface History {
  readonly opening: ApplicationOpened
  readonly steps: ReadonlyArray<HistoryStep>
  /** The application after the last command. */
  readonly application: Application
}

const unreachable = rejectionReason("UPSTREAM_UNAVAILABLE", "The lender did not answer.")

/** Returns the status of an application's contract. Undefined for a status that a lender never returns. */
const statusAtLender = ({ proposal }: Application) =>
  lenderContractStatuses.find((status) => status === proposal?.status)

/** Builds the command for a step. Undefined for an acceptance if the latest quote has no offer. */
const commandOf = (
  input: HistoryInput,
  application: Application,
  at: Timestamp
): LoanCommand | undefined => {
  const quote = latestQuote(application)
  switch (input._tag) {
    case "Requote":
      return { _tag: "RequestQuote", at, quote_id: input.id as QuoteId, wish: input.wish }
    case "Quotation":
      return {
        _tag: "RecordQuote",
        at,
        quote_id: quote.quote_id,
        result: input.answer === null
          ? { kind: "FAILED", rejection: unreachable }
          : quotationFor(input.answer, offeredFor(application), at),
        offer_ids: input.ids.map((id) => id as OfferId),
        // Some quotes have no lender, like those of an earlier version. The first id selects one of the three cases.
        ...[{}, { lender: "sandbox" }, { lender: "other" }][(input.ids[0] ?? "").charCodeAt(0) % 3]
      }
    case "Kyc":
      return {
        _tag: "SubmitKyc",
        at,
        kyc: kycFor(input.kyc, application),
        has_disbursement_data: true,
        submitted: Object.keys(input.kyc)
      }
    case "Accept": {
      const offer = quote.offers[input.offer % Math.max(1, quote.offers.length)]
      return offer && {
        _tag: "AcceptOffer",
        at,
        offer_id: offer.offer_id,
        proposal_id: input.id as ProposalId,
        number: input.number as ProposalNumber,
        created_by: application.created_by,
        acceptance: { accepted_at: at, ip: "192.0.2.1", user_agent: null },
        pledges: []
      }
    }
    case "Cancel":
      return { _tag: "CancelApplication", at, reason: input.reason, exits: null }
    case "Withdraw":
      return { _tag: "WithdrawFromProposal", at, reason: "CUSTOMER_REQUEST", exits: null }
    case "RenewLink":
      return { _tag: "RenewSignatureLink", at, exits: null }
    case "Contract":
      return {
        _tag: "RecordContract",
        at,
        contract: {
          reference: `contract-${application.application_id}${input.renamed ? "-new" : ""}`,
          ...contractState(input.renamed ? statusAtLender(application) ?? input.status : input.status),
          disbursement_attempt: application.proposal?.disbursement_attempt ?? 1
        }
      }
  }
}

/** Builds the KYC to submit. After an acceptance, only the disbursement account can change. */
const kycFor = ({ bank, disbursement_method, pix, ...person }: KycValues, { kyc, proposal }: Application) =>
  proposal === null || kyc === null
    ? { ...person, bank, disbursement_method, pix }
    : { ...kyc, bank, disbursement_method, pix }

/** Applies steps to a new application. Skips steps that fail or change nothing. */
export const historyOf = (opening: ApplicationOpened, inputs: ReadonlyArray<TimedInput>): History => {
  const steps: Array<HistoryStep> = []
  let application = openApplication(opening)
  let millis = millisOf(opening.at)
  for (const [pause, input] of inputs) {
    millis += pause
    const command = commandOf(input, application, timestampOf(millis))
    const events = command === undefined ? undefined : Result.getOrUndefined(decide(command, application))
    if (command === undefined || events === undefined || events.length === 0) continue
    application = events.reduce(evolve, application)
    steps.push({ command, events, after: application })
  }
  return { opening, steps, application }
}

/** Times under different policies. Some are close to a change of the policy. */
export const originationTime: fc.Arbitrary<Timestamp> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 5) }) },
  { weight: 1, arbitrary: fc.integer({ min: Date.UTC(2022, 0), max: Date.UTC(2027, 11) }) },
  { weight: 1, arbitrary: fc.nat({ max: 60_000 }).map((ms) => Date.UTC(2026, 10, 1, 3) - 30_000 + ms) }
).map(timestampOf)

const uuid = fc.uuid({ version: 7 })

/** `ApplicationOpened` events. */
export const opening: fc.Arbitrary<ApplicationOpened> = fc.record({
  _tag: fc.constant("ApplicationOpened"),
  at: originationTime,
  application_id: uuid.map((id) => id as ApplicationId),
  external_id: fc.oneof(fc.nat({ max: 9 }).map((number) => `loan-${number}`), uuid),
  partner_id: partnerId,
  created_by: uuid,
  customer,
  metadata,
  quote_id: uuid.map((id) => id as QuoteId),
  wish
})

const historyWith = (stepsOf: (opening: ApplicationOpened) => fc.Arbitrary<ReadonlyArray<TimedInput>>) =>
  opening.chain((opening) => stepsOf(opening).map((inputs) => historyOf(opening, inputs)))

/** Applications with their successful commands, in chronological order. */
export const history = (maxLength = 12): fc.Arbitrary<History> =>
  historyWith(({ customer }) => historyInputs(customer, maxLength))

/** Histories of applications, nearly all with an accepted offer. In the others, no offer could be priced. */
export const contractedHistory: fc.Arbitrary<History> = historyWith(({ customer }) => contractedHistoryInputs(customer))

/** Applications in any reachable state. */
export const application: fc.Arbitrary<Application> = history().map(({ application }) => application)

/** Applications with a proposal in any reachable state. */
export const contractedApplication: fc.Arbitrary<ContractedApplication> = contractedHistory
  .map(({ application }) => application)
  .filter(isContracted)

/** Proposals in any reachable state. */
export const proposal: fc.Arbitrary<Proposal> = contractedApplication.map(({ proposal }) => proposal)
