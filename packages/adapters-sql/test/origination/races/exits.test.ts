import { assert, it } from "@effect/vitest"
import { pollContract, runContract, runQuote, submitContract } from "@lastro/domain/jobs"
import { type LenderContractStatus, rejectionOf } from "@lastro/domain/loan"
import { cancelApplication, withdrawFromProposal } from "@lastro/domain/origination"
import { centavos, type ProposalId } from "@lastro/domain/values"
import { offering, ScriptedLender } from "@lastro/testkit"
import { Effect } from "effect"
import { acceptAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication, makeOpenedApplication } from "./fixtures.ts"
import { layerTwoStartOnly, onOtherNode } from "./nodes.ts"
import { concurrently, race } from "./race.ts"
import { repeatRace } from "./repeatRace.ts"

const resetLender = Effect.gen(function*() {
  const lender = yield* ScriptedLender
  yield* lender.setActions("done")
  yield* lender.setCancellation("at once")
  yield* lender.setContractStatus("AWAITING_SIGNATURE")
})

const makeAcceptable = Effect.andThen(resetLender, makeAcceptableApplication)

const makeOpened = Effect.andThen(resetLender, makeOpenedApplication)

/** Makes an application with an accepted offer, which was not submitted. */
const makeAccepted = Effect.gen(function*() {
  const acceptable = yield* makeAcceptable
  const { proposal_id } = yield* acceptAndLog(acceptable.writers[0], acceptable.application_id, acceptable.offers[0])
  return { ...acceptable, proposal_id }
})

/** Makes an application whose contract has a status at the lender. */
const makeContracted = (status: LenderContractStatus) =>
  Effect.gen(function*() {
    const accepted = yield* makeAccepted
    yield* (yield* ScriptedLender).setContractStatus(status)
    yield* submitContract(accepted.proposal_id)
    return accepted
  })

/** Makes the pending call of a contract until the lender answers. */
const callUntilAnswered = (proposal_id: ProposalId) =>
  Effect.repeat(submitContract(proposal_id), { until: ({ _tag }) => _tag !== "RETRY" })

/** Returns the status of the contract at the lender; null if it has none. */
const atLender = (proposal_id: ProposalId) =>
  Effect.map(
    Effect.flatMap(ScriptedLender, ({ contracts }) => contracts),
    (contracts) => contracts.find((one) => one.proposal_id === proposal_id)?.contract.status ?? null
  )

const cancelIt = { reason: "CUSTOMER_REQUEST" }

it.layer(layerTwoStartOnly, { excludeTestServices: true, timeout: "1 minute" })("exits", (it) => {
  it.effect("T42 T46 FGTS-31 cancel × accept: the application is cancelled, and nothing reaches the lender", () =>
    repeatRace(makeAcceptable, function*({ application_id, offers, readApplication, writers }, round) {
      const enter = yield* race(round, 3)
      const [accepted, cancelled] = yield* Effect.all([
        enter(acceptAndLog(writers[0], application_id, offers[0])),
        enter(onOtherNode(cancelApplication(writers[1], application_id, cancelIt))),
        enter(onOtherNode(acceptAndLog(writers[2], application_id, offers[1])))
      ], concurrently)
      assert.strictEqual(cancelled, "done")
      assert.include(["done", "OfferNotAvailable DECLINED"], accepted)
      const { cancellation, proposal } = yield* readApplication
      assert.strictEqual(proposal?.status ?? "CANCELLED", "CANCELLED")
      assert.strictEqual(proposal === null, cancellation !== null)
      if (proposal !== null) {
        yield* runContract(proposal.proposal_id)
        assert.isNull(yield* atLender(proposal.proposal_id))
      }
    }))

  it.effect("T46 FGTS-31 cancel × quote result: a late result is dropped, and no offer is available", () =>
    repeatRace(makeOpened, function*({ application_id, quote_id, readApplication, writers }, round) {
      yield* (yield* ScriptedLender).setQuoteAnswers(offering(centavos(900_00)))
      const enter = yield* race(round, 2)
      const outcomes = yield* Effect.all([
        enter(runQuote(quote_id)),
        enter(onOtherNode(cancelApplication(writers[1], application_id, cancelIt)))
      ], concurrently)
      assert.deepStrictEqual(outcomes, ["done", "done"])
      const { cancellation, quotes: [quote] } = yield* readApplication
      assert.strictEqual(cancellation?.rejection.code, "CUSTOMER_CANCELLED")
      assert.include(["COMPLETED", "REJECTED"], quote.outcome)
    }))

  it.effect("T47 FGTS-30 FGTS-35 cancel × submission: no contract is alive after CANCELLED, even if answers are lost", () =>
    repeatRace(makeAccepted, function*({ application_id, proposal_id, readApplication, writers }, round) {
      const lender = yield* ScriptedLender
      if (round % 3 > 0) yield* lender.setActions("lost", "undone", "lost", "done")
      const enter = yield* race(round, 3)
      const outcomes = yield* Effect.all([
        enter(callUntilAnswered(proposal_id)),
        enter(onOtherNode(cancelApplication(writers[1], application_id, cancelIt))),
        enter(onOtherNode(callUntilAnswered(proposal_id)))
      ], concurrently)
      assert.deepStrictEqual(outcomes, ["done", "done", "done"])
      yield* callUntilAnswered(proposal_id)
      const { proposal } = yield* readApplication
      assert.deepInclude(proposal, { status: "CANCELLED" })
      assert.strictEqual(proposal === null ? null : rejectionOf(proposal)?.code, "CUSTOMER_CANCELLED")
      assert.include([null, "CANCELLED"], yield* atLender(proposal_id))
    }))

  for (const status of ["GUARANTEE_PENDING", "PAID"] as const) {
    it.effect(`T46 PROP-11 cancel × ${status === "PAID" ? "payment" : "signature"}: the proposal ends as the lender's contract does`, () =>
      repeatRace(
        makeContracted("AWAITING_SIGNATURE"),
        function*({ application_id, proposal_id, readApplication, writers }, round) {
          const lender = yield* ScriptedLender
          const progress = Effect.gen(function*() {
            const now = yield* atLender(proposal_id)
            if (now !== "CANCELLED") yield* lender.moveContract(proposal_id, status)
            return yield* pollContract(proposal_id)
          })
          const enter = yield* race(round, 2)
          const [, cancelled] = yield* Effect.all([
            enter(progress),
            enter(onOtherNode(cancelApplication(writers[1], application_id, cancelIt)))
          ], concurrently)
          yield* callUntilAnswered(proposal_id)
          const { proposal } = yield* readApplication
          assert.strictEqual(proposal?.status, yield* atLender(proposal_id))
          if (proposal?.status !== "PAID") return assert.strictEqual(proposal?.status, "CANCELLED")
          const reason = proposal.status_history.at(-1)?.reason ?? null
          assert.strictEqual(reason, cancelled === "done" ? "ALREADY_PAID" : null)
          if (cancelled !== "done") assert.strictEqual(cancelled, "ApplicationNotCancellable ENDED")
        }
      ))
  }

  it.effect("T46 FGTS-32 FGTS-37 withdrawal × withdrawal × reversal: one withdrawal is taken, and a reversal ends it", () =>
    repeatRace(makeContracted("PAID"), function*({ proposal_id, readApplication, writers }, round) {
      const lender = yield* ScriptedLender
      const reversal = Effect.andThen(lender.moveContract(proposal_id, "CANCELLED"), pollContract(proposal_id))
      const enter = yield* race(round, 3)
      const withdraw = (writer: typeof writers[0]) => withdrawFromProposal(writer, proposal_id, cancelIt)
      const outcomes = yield* Effect.all([
        enter(withdraw(writers[0])),
        enter(onOtherNode(withdraw(writers[1]))),
        enter(reversal)
      ], concurrently)
      assert.isAtMost(outcomes.slice(0, 2).filter((outcome) => outcome === "done").length, 1)
      for (const outcome of outcomes) assert.include(["done", "ProposalNotWithdrawable NOT_PAID"], outcome)
      yield* pollContract(proposal_id)
      assert.strictEqual((yield* readApplication).proposal?.status, "REFUNDED")
    }))
})
