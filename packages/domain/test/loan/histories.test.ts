import { assert, describe, it } from "@effect/vitest"
import { Equal, Result } from "effect"
import { changedFields } from "../../src/kyc/corrections.ts"
import { emptyKyc } from "../../src/kyc/KycValues.ts"
import { isComplete } from "../../src/kyc/missingFields.ts"
import { type Application, latestQuote } from "../../src/loan/Application.ts"
import { evolve } from "../../src/loan/evolve.ts"
import { type LoanEvent } from "../../src/loan/LoanEvent.ts"
import { offerStatus, quoteStatus } from "../../src/loan/OfferStatus.ts"
import { isFinal } from "../../src/loan/Proposal.ts"
import { checkPolicy, policyOn } from "../../src/offer/FgtsPolicy.ts"
import { saoPauloDate } from "../../src/values/CalendarDate.ts"
import { type Timestamp } from "../../src/values/Timestamp.ts"
import { proposalTransitions } from "../origination/arrows.ts"
import { applyCommands, newApplication } from "./examples.ts"
import { forHistories, type PlayedStep } from "./randomHistories.ts"

/** Checks a property at every step of every history. `often`: the minimum number of steps at which it applied. */
const holds = (property: (played: PlayedStep, begins: Timestamp) => boolean | void, often: number): void => {
  let seen = 0
  forHistories((steps, begins) => {
    for (const step of steps) if (property(step, begins) === true) seen += 1
  })
  assert.isAtLeast(seen, often)
}

const eventsIn = (decided: PlayedStep["decided"]): ReadonlyArray<LoanEvent> =>
  Result.getOrElse(decided, (): ReadonlyArray<LoanEvent> => [])

const eventsOf = ({ decided }: PlayedStep): ReadonlyArray<LoanEvent> => eventsIn(decided)

describe("histories of an application", () => {
  it("FGTS-04 an application is the fold of its commands, and every event counts once in its version", () => {
    forHistories((played, begins) => {
      const successes = played.filter(({ decided }) => Result.isSuccess(decided))
      const events = successes.flatMap(eventsOf)
      const folded = events.reduce(evolve, newApplication(begins))
      const last = played.at(-1)?.after
      assert.deepStrictEqual(folded, last)
      assert.deepStrictEqual(applyCommands(newApplication(begins), ...successes.map(({ command }) => command)), last)
      assert.strictEqual(folded.version, 1 + events.length)
      // The start of a submission is not visible (PROP-16).
      const seen = events.findLast(({ _tag }) => _tag !== "ContractSubmitted")
      assert.strictEqual(folded.updated_at, seen?.at ?? begins)
    })
  })

  it("FGTS-03 events are recorded in chronological order, even if the clock goes back", () =>
    holds(({ after, at, before, clock }) => {
      assert.isTrue(before.updated_at <= after.updated_at)
      assert.strictEqual(at, clock < before.updated_at ? before.updated_at : clock)
      const times = after.quotes.flatMap(({ completed_at, created_at }) => [created_at, completed_at ?? created_at])
      const moves = after.proposal?.status_history.map((change) => change.at) ?? []
      assert.deepStrictEqual([...times, ...moves], [...times, ...moves].toSorted())
      return clock < before.updated_at && after !== before
    }, 100))

  it("FGTS-17 T42 at most one offer is accepted, permanently, with a complete KYC, while lawful", () =>
    holds((played) => {
      const { after, at, before } = played
      if (before.proposal !== null) assert.strictEqual(after.proposal?.proposal_id, before.proposal.proposal_id)
      const accepted = after.quotes.flatMap((quote) =>
        quote.offers.filter((offer) => offerStatus(after, quote, offer, at) === "ACCEPTED")
      )
      assert.strictEqual(accepted.length, after.proposal === null ? 0 : 1)
      if (before.proposal !== null || after.proposal === null) return
      const [offer] = accepted
      assert.isTrue(latestQuote(before).offers.some(({ offer_id }) => offer_id === offer?.offer_id))
      assert.isTrue(offer !== undefined && at < offer.expires_at)
      assert.isTrue(isComplete(before.kyc ?? emptyKyc, undefined))
      const amounts = offer?.terms.installments.map(({ amount }) => amount) ?? []
      assert.isTrue(Result.isSuccess(checkPolicy(policyOn(saoPauloDate(at)), amounts)))
      return true
    }, 100))

  it("FGTS-07 FGTS-08 T40 a superseded quote has no available offer and stays superseded", () =>
    holds(({ after, at, before }) => {
      const older = after.quotes.slice(0, -1)
      for (const quote of older) {
        assert.strictEqual(quoteStatus(after, quote), "SUPERSEDED")
        for (const offer of quote.offers) assert.strictEqual(offerStatus(after, quote, offer, at), "SUPERSEDED")
        assert.deepStrictEqual(quote, before.quotes[quote.number - 1])
      }
      assert.deepStrictEqual(after.quotes.map(({ number }) => number), after.quotes.map((_, index) => index + 1))
      return older.some(({ offers }) => offers.length > 0)
    }, 250))

  it("FGTS-13 T46 a quote result never changes, and only the latest quote gets one", () =>
    holds(({ after, before, command, decided }) => {
      for (const quote of before.quotes.filter(({ outcome }) => outcome !== "PENDING")) {
        assert.deepStrictEqual(after.quotes[quote.number - 1], quote)
      }
      if (command._tag !== "RecordQuote") return
      const { outcome, quote_id } = latestQuote(before)
      const expected = outcome === "PENDING" && quote_id === command.quote_id
      assert.strictEqual(Result.getOrThrow(decided).length, expected ? 1 : 0)
      return !expected
    }, 250))

  it("PROP-03 a proposal follows the allowed transitions, and its history has every step", () =>
    holds(({ after, before }) => {
      const history = after.proposal?.status_history ?? []
      assert.deepStrictEqual(history.slice(0, before.proposal?.status_history.length ?? 0), [
        ...(before.proposal?.status_history ?? [])
      ])
      for (const [index, { status }] of history.entries()) {
        const from = history[index - 1]?.status
        if (from === undefined) assert.strictEqual(status, "SUBMITTING")
        else assert.include(proposalTransitions(from), status)
      }
      assert.strictEqual(after.proposal?.status, history.at(-1)?.status)
      return history.length > (before.proposal?.status_history.length ?? 0) && history.length > 1
    }, 100))

  it("PROP-01 an application with a final proposal never changes", () =>
    holds(({ after, before }) => {
      if (before.proposal === null || !isFinal(before.proposal)) return
      assert.strictEqual(after, before)
      return true
    }, 100))

  it("FGTS-28 PROP-08 while a correction is needed only the refused fields change, and the KYC stays complete", () =>
    holds(({ after, before }) => {
      if (before.proposal?.status !== "CORRECTION_NEEDED" || after.kyc === null) return
      const refused = before.proposal.refused_fields
      for (const path of changedFields(before.kyc ?? emptyKyc, after.kyc)) {
        const isNamed = refused.some((one) => path === one || path.startsWith(`${one}.`))
        assert.isTrue(refused.length === 0 ? !["cpf", "birth_date", "name"].includes(path) : isNamed, path)
      }
      assert.isTrue(isComplete(after.kyc, undefined))
      assert.deepStrictEqual(after.proposal?.acceptance, before.proposal.acceptance)
      return after.proposal?.status === "SUBMITTING"
    }, 3))

  it("FGTS-30 a proposal that is cancelled at once was not submitted, was refused, or got the contract of another", () =>
    holds(({ after, before, command }) => {
      if (command._tag !== "CancelApplication" || before.proposal === null) return
      if (after.proposal?.status !== "CANCELLED" || after === before) return
      const hasConflict = before.proposal.status === "SUBMITTING" && before.proposal.conflicting_reference !== null
      if (!hasConflict) assert.isNull(before.proposal.submitted_at)
      assert.isNull(after.proposal.contract)
      return true
    }, 3))

  it("PROP-10 PROP-14 a contract is submitted only while the lender has returned none for the proposal", () =>
    holds(({ before, command, decided }) => {
      if (command._tag !== "StartSubmission" || Result.isFailure(decided) || decided.success.length === 0) return
      assert.deepInclude(before.proposal, {
        status: "SUBMITTING" as const,
        contract: null,
        conflicting_reference: null
      })
      return true
    }, 100))

  it("FGTS-33 the request of a new signature link ends only with the lender's answer, or when the signature ends", () =>
    holds(({ after, before, command, decided }) => {
      if (before.proposal?.status !== "AWAITING_SIGNATURE" || before.proposal.link_requested_at === null) return
      if (after.proposal?.status !== "AWAITING_SIGNATURE") return
      const isAnswered = eventsIn(decided).some(({ _tag }) => /^SignatureLinkRe(fused|newed)$/.test(_tag))
      assert.strictEqual(after.proposal.link_requested_at === null, isAnswered, command._tag)
      return true
    }, 1))

  it("KYC-02 T45 after acceptance only the account changes, only after a failed payment, and it is paid again", () => {
    const identity = ({ kyc }: Application) => ({ ...kyc, pix: null, bank: null, disbursement_method: null })
    holds(({ after, before }) => {
      if (before.proposal === null || before.proposal.status === "CORRECTION_NEEDED") return
      assert.isTrue(Equal.equals(identity(before), identity(after)))
      assert.deepStrictEqual(after.proposal?.customer, before.proposal.customer)
      assert.deepStrictEqual(after.proposal?.acceptance, before.proposal.acceptance)
      const again = (after.proposal?.disbursement_attempt ?? 0) - before.proposal.disbursement_attempt
      if (Equal.equals(after.kyc, before.kyc) && again === 0) {
        return assert.deepStrictEqual(after.proposal?.disbursement, before.proposal.disbursement)
      }
      assert.strictEqual(before.proposal.status, "DISBURSEMENT_FAILED")
      assert.strictEqual(after.proposal?.status, "DISBURSING")
      assert.strictEqual(again, 1)
      assert.isTrue(isComplete(after.kyc ?? emptyKyc, undefined))
      assert.deepStrictEqual<unknown>(after.proposal?.disbursement.pix, after.kyc?.pix)
      return true
    }, 5)
  })
})
