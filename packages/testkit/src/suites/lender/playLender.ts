// A case can fail with any error, which the test runner reports.
// @effect-diagnostics anyUnknownInErrorContext:off
import { type Customer, disbursementOf, type KycValues } from "@lastro/domain/kyc"
import { type CallbackTarget, Lender, type LenderQuoteRequest, type LenderUnavailable } from "@lastro/domain/lender"
import { type ContractSubmission, type LenderContract, type LenderContractStatus } from "@lastro/domain/loan"
import { type FinalQuotation, type LenderOffer, policyOn } from "@lastro/domain/offer"
import {
  type ApplicationId,
  currentTimestamp,
  type DocumentNumber,
  type OfferId,
  type PartnerId,
  type ProposalId,
  type QuoteId,
  saoPauloDate,
  type Timestamp
} from "@lastro/domain/values"
import { assert } from "chai"
import { Effect } from "effect"
import { aCompleteKyc } from "../../builders/aCompleteKyc.ts"
import { freshId } from "../../builders/Fresh.ts"
import { aQuoteRequest } from "../../lender/lenderRequests.ts"
import { type ContractCases, effectOf, type Holds, type RegisterCase } from "../suite/ContractSuite.ts"
import { type FollowedContract, type Impossible, type LenderFixture, type LenderFixtures } from "./LenderFixtures.ts"

/** Maximum number of steps in which a lender must reach an outcome. */
const maxSteps = 50

/** Builds the customer and the complete KYC of a fixture. */
const personOf = <R>(
  fixtures: LenderFixtures<R>,
  fixture: LenderFixture<R>
): { readonly customer: Customer; readonly kyc: KycValues } => {
  const customer: Customer = {
    ...aQuoteRequest("00").customer,
    name: "Ana Exemplo",
    ...fixtures.customer,
    ...fixture.customer
  }
  return { customer, kyc: { ...aCompleteKyc().for(customer).build(), ...fixtures.kyc, ...fixture.kyc } }
}

/** Returns the last `lender_state` in the callbacks for a quote. Undefined if there is none. */
const stateInCallbacks = (
  targets: ReadonlyArray<CallbackTarget>,
  quote_id: QuoteId,
  callback_key: string | null
): string | undefined =>
  targets.flatMap((target) => {
    if (target.kind !== "quote" || target.lender_state === undefined) return []
    const isOfQuote = "quote_id" in target ? target.quote_id === quote_id : target.callback_key === callback_key
    return isOfQuote ? [target.lender_state] : []
  }).at(-1)

/** Prepares a fixture. Returns the requests of one application to its lender, for a case. */
export const playLender = Effect.fnUntraced(function*<R>(fixtures: LenderFixtures<R>, fixture: LenderFixture<R>) {
  if (fixture.prepare !== undefined) yield* fixture.prepare
  const lender = yield* Lender
  const { customer, kyc } = personOf(fixtures, fixture)
  const advance = fixture.advance ?? fixtures.advance
  const application_id = (yield* freshId) as ApplicationId
  const requested_at: Timestamp = yield* currentTimestamp
  const released_on = saoPauloDate(requested_at)

  const newRequest = Effect.fnUntraced(function*(fields: Partial<LenderQuoteRequest> = {}) {
    return aQuoteRequest("00", {
      application_id,
      partner_id: (yield* freshId) as PartnerId,
      quote_id: (yield* freshId) as QuoteId,
      requested_at,
      customer,
      released_on,
      policy: policyOn(released_on),
      ...fields
    })
  })

  /** Requests a quote, and repeats a PENDING or throttled request until the lender answers. */
  const finish = (request: LenderQuoteRequest, steps = 0): Effect.Effect<FinalQuotation, LenderUnavailable, R> =>
    Effect.gen(function*() {
      assert.isBelow(steps, maxSteps, "the lender does not answer the quote")
      const answer = yield* Effect.catchIf(
        lender.quote(request),
        ({ reason }) => reason === "THROTTLED",
        () => Effect.succeed(null)
      )
      if (answer !== null && answer.kind !== "PENDING") return answer
      const next = answer === null ? request : { ...request, lender_state: answer.lender_state }
      const callbacks = (yield* advance(null)) ?? []
      const stateOfCallback = stateInCallbacks(callbacks, next.quote_id, answer?.callback_key ?? null)
      assert.isAtMost(stateOfCallback?.length ?? 0, 8_192)
      assert.notInclude(stateOfCallback ?? "", customer.cpf)
      return yield* finish({ ...next, lender_state: stateOfCallback ?? next.lender_state }, steps + 1)
    })

  /** Requests a new quote until the lender answers. */
  const quote = (fields: Partial<LenderQuoteRequest> = {}) =>
    Effect.flatMap(newRequest(fields), (request) => finish(request))

  const offers = Effect.map(
    quote(),
    (quotation): ReadonlyArray<LenderOffer> =>
      quotation.kind === "PRICED" ? quotation.offers : assert.fail(`the quote is ${quotation.kind}`)
  )

  /** Requests a quote, and builds the submission of its first offer with a new proposal id. */
  const newSubmission = Effect.fnUntraced(function*() {
    const [offer] = yield* offers
    if (offer === undefined) return assert.fail("the quote has no offer")
    const accepted_at = yield* currentTimestamp
    const { lender_ref, table, terms } = offer
    const submission: ContractSubmission = {
      proposal_id: (yield* freshId) as ProposalId,
      application_id,
      accepted_at,
      acceptance: { accepted_at, ip: "203.0.113.7", user_agent: "Mozilla/5.0" },
      offer: {
        offer_id: (yield* freshId) as OfferId,
        table,
        terms,
        policy: policyOn(released_on).version,
        expires_at: accepted_at,
        ...(lender_ref === undefined || lender_ref === null ? {} : { lender_ref })
      },
      customer,
      kyc,
      disbursement: disbursementOf(kyc),
      origin: {
        partner: { partner_id: (yield* freshId) as PartnerId, document_number: "11222333000181" as DocumentNumber },
        agent: { id: "agent-1", name: "Agente Exemplo", cpf: null }
      }
    }
    return submission
  })

  /** Submits a new proposal. */
  const submitNew = Effect.fnUntraced(function*() {
    const submission = yield* newSubmission()
    return { submission, created: yield* lender.submit(submission) }
  })

  /** Polls a contract after each step of the lender, until it has one of these statuses. Returns the last state. */
  const follow = (
    followed: FollowedContract,
    until: ReadonlyArray<LenderContractStatus>,
    steps = 0
  ): Effect.Effect<LenderContract, LenderUnavailable, R> =>
    Effect.gen(function*() {
      const { contract, proposal_id } = followed
      if (until.includes(contract.status)) return contract
      assert.isBelow(steps, maxSteps, `the contract is ${contract.status}, not ${until.join(" or ")}`)
      yield* advance(followed)
      const next = yield* lender.contract(contract.reference)
      return yield* follow({ proposal_id, contract: next }, until, steps + 1)
    })

  /** Submits a new proposal, and polls its contract until it has one of these statuses. */
  const reach = Effect.fnUntraced(function*(...until: ReadonlyArray<LenderContractStatus>) {
    const { created, submission } = yield* submitNew()
    return { submission, contract: yield* follow({ proposal_id: submission.proposal_id, contract: created }, until) }
  })

  return { lender, customer, newRequest, finish, quote, offers, newSubmission, submitNew, follow, reach, advance }
})

/** Makes the contract cases for Lender from the fixtures of a lender. */
export type LenderCases = <R>(fixtures: LenderFixtures<R>) => ContractCases<Lender | R>

/** The lender of a case, and the requests that the case can make. */
export type LenderPlay<R> = Effect.Success<ReturnType<typeof playLender<R>>>

/** The names of the outcomes of a lender, except the codes of its refusals. */
type OutcomeName = Exclude<keyof LenderFixtures, "advance" | "callback" | "customer" | "kyc" | "refused">

type FixtureOf<R, K extends OutcomeName> = Exclude<LenderFixtures<R>[K], Impossible>

/**
 * Returns a function that registers the case of an outcome. If the fixtures declare the outcome impossible, it
 * registers a case with this declaration as its name.
 */
export const outcomesOf = <R>(it: RegisterCase<Lender | R>, fixtures: LenderFixtures<R>) =>
<K extends OutcomeName>(
  /** The name of an outcome. Or a name and a fixture, for a case whose outcome has no name of its own. */
  outcome: K | readonly [name: string, fixture: LenderFixtures<R>[K]],
  sentence: string,
  holds: (play: LenderPlay<R>, fixture: FixtureOf<R, K>) => Holds<Lender | R>,
  /** Checks a lender for which the outcome is impossible. Default: no check. */
  unsupported: (play: LenderPlay<R>) => Holds<Lender | R> = () => Effect.void
): void => {
  const [name, fixture] = typeof outcome === "string" ? [outcome, fixtures[outcome]] as const : outcome
  if ("impossible" in fixture) {
    it(`declared impossible: ${name}: ${fixture.impossible}`, function*() {
      yield* effectOf(unsupported(yield* playLender(fixtures, fixtures.priced)))
    })
  } else {
    it(sentence, function*() {
      const play = yield* playLender(fixtures, fixture as FixtureOf<R, K>)
      yield* effectOf(holds(play, fixture as FixtureOf<R, K>))
    })
  }
}
