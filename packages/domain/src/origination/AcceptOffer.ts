import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { freezeChain } from "../commission/chain.ts"
import { CommissionPlans } from "../commission/CommissionPlans.ts"
import { type InScope, scopeOf } from "../hierarchy/Scope.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { decodeBody } from "../input/decode.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { lenderOfRecord, lenderRegistry } from "../lender/Lenders.ts"
import { LenderSettings } from "../lender/LenderSettings.ts"
import { type Application, findOffer } from "../loan/Application.ts"
import { decide } from "../loan/decide.ts"
import { type Acceptance } from "../loan/Proposal.ts"
import { proposalNumber } from "../loan/ProposalNumber.ts"
import { partAt } from "../loan/quoteParts.ts"
import { type Offer } from "../offer/Offer.ts"
import { type Quote } from "../offer/Quote.ts"
import { IdGenerator, SecretGenerator } from "../ports/generators.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type ApplicationId, type OfferId, type ProposalId } from "../values/ids.ts"
import { type PartnerId } from "../values/ids.ts"
import { clockToleranceMs, millisOf, type Timestamp } from "../values/Timestamp.ts"
import { AcceptFgtsOfferRequest, type AcceptFgtsOfferResponse } from "./ApplicationRequests.ts"
import { changeForCaller } from "./changeForCaller.ts"
import { originOf } from "./originOf.ts"
import { noContracts, otherContracts } from "./otherContracts.ts"
import { contractingLenders } from "./routedLenders.ts"
import { saveDecision } from "./saveDecision.ts"
import { startContractJob } from "./startJobs.ts"

const decodeRequest = decodeBody(AcceptFgtsOfferRequest)

/**
 * `accepted_at` must be neither before the offer was made nor in the future. A clock difference of up to five minutes
 * is tolerated.
 * @rule FGTS-24
 */
export const parseAcceptance = (
  body: unknown,
  { at, made_at }: { readonly made_at: Timestamp; readonly at: Timestamp }
): Result.Result<Acceptance, ValidationFailed> =>
  Result.flatMap(decodeRequest(body), (request) => {
    const accepted_at = request.accepted_at ?? at
    const isOutside = millisOf(accepted_at) > millisOf(at) + clockToleranceMs ||
      millisOf(accepted_at) < millisOf(made_at) - clockToleranceMs
    return isOutside
      ? Result.fail(
        new ValidationFailed({
          problems: [fieldProblem("accepted_at", problem("OUT_OF_RANGE", { min: made_at, max: at }))]
        })
      )
      : Result.succeed({ accepted_at, ip: request.ip ?? null, user_agent: request.user_agent ?? null })
  })

/** Returns the time at which an offer was made: the completion of its quote, or of its part if the part came later. */
const madeAt = (quote: Quote, { lender }: Offer): Timestamp => {
  const completed_at = quote.completed_at ?? quote.created_at
  const part_completed_at = partAt(quote, lender)?.completed_at ?? completed_at
  return part_completed_at > completed_at ? part_completed_at : completed_at
}

/**
 * Returns the commission of an accepted offer, frozen with the plans of that day. Null if nobody earns one. The chain
 * cannot change until the transaction ends, because the tree is locked.
 */
const freezeCommission = Effect.fnUntraced(function*(seller: PartnerId, { lender, table }: Offer, at: Timestamp) {
  const links = yield* (yield* CommissionPlans).chain(seller, saoPauloDate(at))
  return freezeChain(links, { lender: lender ?? null, table: table.code })
})

/**
 * Reads the facts that decide the acceptance of an offer. For a repeated acceptance, reads neither the other contracts
 * nor the commission.
 */
const factsFor = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  application: InScope<Application>,
  offer: Offer,
  at: Timestamp
) {
  const { partner_id, proposal } = application.record
  const isFirst = proposal === null
  const others = isFirst
    ? yield* otherContracts(application, scopeOf(allowed), { at, lender: offer.lender })
    : noContracts
  const commission = isFirst ? yield* freezeCommission(partner_id, offer, at) : null
  const registry = yield* lenderRegistry
  const lender = lenderOfRecord(registry, offer.lender ?? null)
  const { max_monthly_rate, max_monthly_rate_above_policy } = lender?.settings ?? (yield* LenderSettings)
  return {
    ...others,
    contracting: lender === undefined ? [] : contractingLenders(registry),
    max_monthly_rate,
    max_monthly_rate_above_policy,
    commission,
    origin: yield* originOf(allowed, partner_id)
  }
})

/**
 * Accepts an offer of an application in the caller's subtree, and starts its contract. The body is untrusted. Accepting
 * the same offer again returns the same answer.
 */
export const acceptOffer = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  offer_id: OfferId,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  return yield* changeForCaller(
    allowed,
    { application_id, key, findPart: (application) => findOffer(application, offer_id) },
    (application, at, { offer, quote }) =>
      Effect.gen(function*() {
        const acceptance = yield* Effect.fromResult(parseAcceptance(body, { made_at: madeAt(quote, offer), at }))
        const facts = yield* factsFor(allowed, application, offer, at)
        const decided = decide({
          _tag: "AcceptOffer",
          at,
          offer_id,
          proposal_id: (yield* (yield* IdGenerator).next) as ProposalId,
          number: proposalNumber(yield* (yield* SecretGenerator).next),
          created_by: caller.subject,
          acceptance,
          ...facts
        }, application.record)
        const after = yield* saveDecision(application, decided, { at, caller, action: "application.accept" })
        const { proposal } = after
        if (proposal === null) return yield* Effect.die(new Error("The accepted offer has no proposal"))
        const wasAcceptedNow = after !== application.record
        if (wasAcceptedNow) yield* startContractJob(proposal)
        const answer: AcceptFgtsOfferResponse = {
          application_id,
          offer_id,
          proposal_id: proposal.proposal_id,
          status: "CONTRACTING",
          next_action: "WAIT"
        }
        return answer
      })
  )
})
