import { type KycValues } from "@lastro/domain/kyc"
import {
  type Application,
  decide,
  evolve,
  latestQuote,
  type LenderContract,
  type LoanCommand,
  type RecordQuote,
  referenceOf
} from "@lastro/domain/loan"
import { type FinalQuotation } from "@lastro/domain/offer"
import {
  type Centavos,
  centavos,
  type OfferId,
  type ProposalId,
  type QuoteId,
  type Timestamp
} from "@lastro/domain/values"
import { Effect, Result } from "effect"
import { TestMistake } from "../mistake/TestMistake.ts"
import { offeredFor, offerWithNet } from "../offer/offerWithNet.ts"
import { aCompleteKyc } from "./aCompleteKyc.ts"
import { freshId, proposalNumberOf } from "./Fresh.ts"

/** Applies a command. Throws a `TestMistake` that starts with `message` if the command fails or changes nothing. */
const applyCommand = (application: Application, message: string, command: LoanCommand): Application => {
  const decided = decide(command, application)
  if (Result.isFailure(decided)) {
    throw new TestMistake(`${message}: ${decided.failure._tag}.`, { cause: decided.failure })
  }
  if (decided.success.length === 0) throw new TestMistake(`${message}: the command has no effect.`)
  return decided.success.reduce(evolve, application)
}

/** Records the lender's answer to the pending quote. Default time of the answer: `updated_at` of the application. */
export const answerQuote = (
  application: Application,
  result: RecordQuote["result"],
  at: Timestamp = application.updated_at
): Effect.Effect<Application> =>
  Effect.gen(function*() {
    const count = result.kind === "PRICED" ? result.offers.length : 0
    const offer_ids = yield* Effect.replicateEffect(freshId, count)
    const { quote_id } = latestQuote(application)
    return applyCommand(application, "The quote cannot be answered", {
      _tag: "RecordQuote",
      at,
      quote_id,
      result,
      offer_ids: offer_ids.map((id) => id as OfferId)
    })
  })

/** The default net amounts of offers. */
export const exampleNetAmounts: ReadonlyArray<Centavos> = [centavos(900_00), centavos(700_00)]

/** Answers the pending quote with one offer for each net amount. */
export const answerWithOffers = (
  application: Application,
  { at, nets = exampleNetAmounts }: { readonly at?: Timestamp; readonly nets?: ReadonlyArray<Centavos> } = {}
): Effect.Effect<Application> => {
  const offered = offeredFor(application)
  const offers = nets.map((net, index) => offerWithNet(net, offered, { code: String.fromCharCode(65 + index) }))
  const quotation: FinalQuotation = { kind: "PRICED", offers, unpriced: [] }
  return answerQuote(application, quotation, at)
}

/** Requests another quote. */
export const requestAnotherQuote = (
  application: Application,
  at: Timestamp = application.updated_at
): Effect.Effect<Application> =>
  Effect.map(
    freshId,
    (id) =>
      applyCommand(application, "Another quote cannot be requested", {
        _tag: "RequestQuote",
        at,
        quote_id: id as QuoteId,
        wish: latestQuote(application).wish
      })
  )

const exampleKycOf = ({ customer, requirements }: Application): KycValues =>
  aCompleteKyc().for(customer).requiring(...requirements?.kyc_fields ?? []).build()

/** Submits a KYC. Default: a complete KYC. */
export const submitExampleKyc = (
  application: Application,
  { at = application.updated_at, kyc = exampleKycOf(application) }: {
    readonly at?: Timestamp
    readonly kyc?: Application["kyc"] & {}
  } = {}
): Application =>
  applyCommand(application, "The KYC cannot be submitted", {
    _tag: "SubmitKyc",
    at,
    kyc,
    has_disbursement_data: true,
    submitted: Object.keys(kyc)
  })

/** Accepts an offer of the latest quote by its index. Default: the best offer. */
export const acceptQuotedOffer = (
  application: Application,
  { at = application.updated_at, offer = 0 }: { readonly at?: Timestamp; readonly offer?: number } = {}
): Effect.Effect<Application> =>
  Effect.gen(function*() {
    const offer_id = latestQuote(application).offers[offer]?.offer_id
    if (offer_id === undefined) throw new TestMistake(`The latest quote has no offer at index ${offer}.`)
    return applyCommand(application, "The offer cannot be accepted", {
      _tag: "AcceptOffer",
      at,
      offer_id,
      proposal_id: (yield* freshId) as ProposalId,
      number: proposalNumberOf(yield* freshId),
      created_by: yield* freshId,
      acceptance: { accepted_at: at, ip: "192.0.2.1", user_agent: "Example/1.0" },
      pledges: []
    })
  })

/** Returns the reference of the contract, or an example reference for a new contract. Empty without a proposal. */
const referenceFor = ({ proposal }: Application): string =>
  proposal === null ? "" : referenceOf(proposal) ?? `contract-${proposal.proposal_id}`

/** Records a contract status from the lender. */
export const recordContractStatus = (
  application: Application,
  status: LenderContract["status"],
  { at = application.updated_at, ...contract }: Partial<LenderContract> & { readonly at?: Timestamp } = {}
): Application =>
  applyCommand(application, `The contract cannot become ${status}`, {
    _tag: "RecordContract",
    at,
    contract: {
      reference: referenceFor(application),
      status,
      signature_url: null,
      rejection: null,
      disbursement_attempt: application.proposal?.disbursement_attempt ?? 1,
      ...contract
    }
  })

/** Answers the pending quote, submits a complete KYC and accepts the best offer. */
export const contractApplication = (application: Application): Effect.Effect<Application> =>
  Effect.flatMap(answerWithOffers(application), (quoted) => acceptQuotedOffer(submitExampleKyc(quoted)))
