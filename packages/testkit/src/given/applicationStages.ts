import {
  type Application,
  type ApplicationCommand,
  type Centavos,
  centavos,
  decide,
  evolve,
  latestQuote,
  type LenderContract,
  type LenderQuotation,
  type OfferId,
  type ProposalId,
  type QuoteId,
  type RecordQuote,
  type Timestamp
} from "@lastro/domain"
import { Effect, Result } from "effect"
import { offeredFor } from "../lender/offeredFor.ts"
import { offerWithNet } from "../lender/offerWithNet.ts"
import { aCompleteKyc } from "./aCompleteKyc.ts"
import { freshId, proposalNumberOf } from "./Fresh.ts"
import { TestMistake } from "./TestMistake.ts"

/** An application after a command; one that is refused, or that nothing comes of, is a mistake of the test. */
const after = (application: Application, impossible: string, command: ApplicationCommand): Application => {
  const decided = decide(command, application)
  if (Result.isFailure(decided)) {
    throw new TestMistake(`${impossible} here: ${decided.failure._tag}`, { cause: decided.failure })
  }
  if (decided.success.length === 0) throw new TestMistake(`${impossible} here`)
  return decided.success.reduce(evolve, application)
}

/** The application after its pending quote was answered so; at the time of its last fact unless given. */
export const answered = (
  application: Application,
  result: RecordQuote["result"],
  at: Timestamp = application.updated_at
): Effect.Effect<Application> =>
  Effect.gen(function*() {
    const count = result.kind === "PRICED" ? result.offers.length : 0
    const offer_ids = yield* Effect.replicateEffect(freshId, count)
    const { quote_id } = latestQuote(application)
    return after(application, "no quote can be answered", {
      _tag: "RecordQuote",
      at,
      quote_id,
      result,
      offer_ids: offer_ids.map((id) => id as OfferId)
    })
  })

/** The net amounts of offers unless others are given. */
export const exampleNets: ReadonlyArray<Centavos> = [centavos(900_00), centavos(700_00)]

/** The application after its pending quote was answered with an offer of each net amount. */
export const quoted = (
  application: Application,
  { at, nets = exampleNets }: { readonly at?: Timestamp; readonly nets?: ReadonlyArray<Centavos> } = {}
): Effect.Effect<Application> => {
  const offered = offeredFor(application)
  const offers = nets.map((net, index) => offerWithNet(net, offered, { code: String.fromCharCode(65 + index) }))
  const quotation: LenderQuotation = { kind: "PRICED", offers, unpriced: [] }
  return answered(application, quotation, at)
}

/** The application after another quote was requested. */
export const requoted = (
  application: Application,
  at: Timestamp = application.updated_at
): Effect.Effect<Application> =>
  Effect.map(
    freshId,
    (id) =>
      after(application, "no further quote can be asked for", {
        _tag: "RequestQuote",
        at,
        quote_id: id as QuoteId,
        wish: latestQuote(application).wish
      })
  )

/** The application after a KYC was submitted; a complete one unless given. */
export const withKyc = (
  application: Application,
  { at = application.updated_at, kyc = aCompleteKyc().for(application.customer).build() }: {
    readonly at?: Timestamp
    readonly kyc?: Application["kyc"] & {}
  } = {}
): Application => after(application, "no KYC can be told", { _tag: "SubmitKyc", at, kyc, says_where_to_pay: true })

/** The application after its best offer, or the one of the latest quote at an index, was accepted. */
export const accepted = (
  application: Application,
  { at = application.updated_at, offer = 0 }: { readonly at?: Timestamp; readonly offer?: number } = {}
): Effect.Effect<Application> =>
  Effect.gen(function*() {
    const offer_id = latestQuote(application).offers[offer]?.offer_id
    if (offer_id === undefined) throw new TestMistake(`the latest quote has no offer ${offer}`)
    return after(application, "no offer can be accepted", {
      _tag: "AcceptOffer",
      at,
      offer_id,
      proposal_id: (yield* freshId) as ProposalId,
      number: proposalNumberOf(yield* freshId),
      created_by: yield* freshId,
      acceptance: { accepted_at: at, ip: "192.0.2.1", user_agent: "Example/1.0" }
    })
  })

/** The application after the lender said how its contract stands. */
export const moved = (
  application: Application,
  status: LenderContract["status"],
  { at = application.updated_at, ...contract }: Partial<LenderContract> & { readonly at?: Timestamp } = {}
): Application =>
  after(application, `no contract can be moved to ${status}`, {
    _tag: "RecordContract",
    at,
    contract: {
      reference: application.proposal?.reference ?? `contract-${application.proposal?.proposal_id}`,
      status,
      signature_url: null,
      rejection: null,
      disbursement_attempt: application.proposal?.disbursement_attempt ?? 1,
      ...contract
    }
  })

/** An application just opened, quoted, with a complete KYC, and accepted. */
export const contracted = (application: Application): Effect.Effect<Application> =>
  Effect.flatMap(quoted(application), (one) => accepted(withKyc(one)))
