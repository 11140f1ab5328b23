import { assert, it } from "@effect/vitest"
import { pollContract, runQuote, submitContract } from "@lastro/domain/jobs"
import { submitKyc } from "@lastro/domain/origination"
import { addMillis, centavos, currentTimestamp, type ProposalId } from "@lastro/domain/values"
import { offering, refusing, ScriptedLender } from "@lastro/testkit"
import { Effect } from "effect"
import { acceptAndLog } from "./AnswerLog.ts"
import { withClockAt } from "./clocks.ts"
import { makeAcceptableApplication, makeOpenedApplication } from "./fixtures.ts"
import { layerTwoStartOnly, onOtherNode, type Ports } from "./nodes.ts"
import { concurrently, race } from "./race.ts"
import { repeatRace } from "./repeatRace.ts"

/** Makes an application with an accepted offer; the job of its contract is pending. */
const makeAcceptedApplication = Effect.gen(function*() {
  const lender = yield* ScriptedLender
  yield* lender.setActions("done")
  yield* lender.setContractStatus("AWAITING_SIGNATURE")
  const acceptable = yield* makeAcceptableApplication
  const { proposal_id } = yield* acceptAndLog(acceptable.writers[0], acceptable.application_id, acceptable.offers[0])
  return { ...acceptable, proposal_id }
})

const pollAfter = (proposal_id: ProposalId, days: number) =>
  Effect.flatMap(
    currentTimestamp,
    (at) => withClockAt(addMillis(at, days * 86_400_000))(pollContract(proposal_id))
  )

/** Submits a contract, or requests its payment, until the lender answers. */
const submitUntilAnswered = (proposal_id: ProposalId) =>
  Effect.repeat(submitContract(proposal_id), { until: ({ _tag }) => _tag !== "RETRY" })

/** Runs the same effect twice on each node, concurrently. */
const onBothNodes = Effect.fnUntraced(function*<A, E extends { readonly _tag: string }>(
  round: number,
  work: Effect.Effect<A, E, Ports>
) {
  const enter = yield* race(round, 4)
  return yield* Effect.all([enter(work), enter(onOtherNode(work)), enter(work), enter(onOtherNode(work))], concurrently)
})

const allDone = ["done", "done", "done", "done"]

const path = ["SUBMITTING", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"]

it.layer(layerTwoStartOnly, { excludeTestServices: true, timeout: "1 minute" })(
  "the same job concurrently on two nodes",
  (it) => {
    it.effect("T46 the first answer to a quote is kept and the others are dropped", () =>
      repeatRace(makeOpenedApplication, function*({ readApplication, quote_id }, round) {
        const lender = yield* ScriptedLender
        const answers = [offering(centavos(900_00)), offering(centavos(800_00), centavos(600_00))] as const
        yield* lender.setQuoteAnswers(answers[round % 2] ?? answers[0], refusing("NO_BALANCE"), ...answers)
        assert.deepStrictEqual(yield* onBothNodes(round, runQuote(quote_id)), allDone)
        const { quotes: [quote], version } = yield* readApplication
        assert.strictEqual(version, 2)
        const nets = quote.offers.map(({ terms }) => Number(terms.net_amount))
        assert.deepInclude([[900_00], [800_00, 600_00], []], nets)
        assert.strictEqual(quote.outcome, nets.length === 0 ? "REJECTED" : "COMPLETED")
      }))

    it.effect("T47 a contract is made once, even if answers are lost", () =>
      repeatRace(makeAcceptedApplication, function*({ readApplication, proposal_id }, round) {
        const lender = yield* ScriptedLender
        yield* lender.setContractStatus("PAID")
        if (round % 3 > 0) yield* lender.setActions("lost", "undone", "lost", "done")
        assert.deepStrictEqual(yield* onBothNodes(round, submitUntilAnswered(proposal_id)), allDone)
        const { proposal } = yield* readApplication
        assert.deepStrictEqual(proposal?.status_history.map(({ status }) => status), path)
      }))

    it.effect("T46 each status of a contract is recorded once while it progresses at the lender", () =>
      repeatRace(makeAcceptedApplication, function*({ readApplication, proposal_id }, round) {
        const lender = yield* ScriptedLender
        yield* submitContract(proposal_id)
        yield* lender.moveContract(proposal_id, "GUARANTEE_PENDING")
        // Some polls are answered before the contract progresses and some after.
        const progress = Effect.andThen(Effect.sleep("1 millis"), lender.moveContract(proposal_id, "PAID"))
        const [outcomes] = yield* Effect.all(
          [onBothNodes(round, pollAfter(proposal_id, 1)), progress],
          concurrently
        )
        assert.deepStrictEqual(outcomes, allDone)
        yield* pollAfter(proposal_id, 2)
        const { proposal } = yield* readApplication
        assert.deepStrictEqual(proposal?.status_history.map(({ status }) => status), path)
      }))

    it.effect("T45 one of two corrections of the account is taken, and it is paid once", () =>
      repeatRace(makeAcceptedApplication, function*({ application_id, readApplication, proposal_id, writers }, round) {
        const lender = yield* ScriptedLender
        yield* lender.setContractStatus("DISBURSEMENT_FAILED")
        yield* submitContract(proposal_id)
        yield* lender.setContractStatus("PAID")
        if (round % 2 === 0) yield* lender.setActions("lost", "undone", "done")
        const correctAccount = (key: string) => submitKyc(writers[1], application_id, { pix: { type: "EMAIL", key } })
        const enter = yield* race(round, 2)
        const corrected = yield* Effect.all([
          enter(correctAccount("ana1@example.com")),
          enter(onOtherNode(correctAccount("ana2@example.com")))
        ], concurrently)
        assert.sameMembers(corrected, ["done", "KycLocked"])
        assert.deepStrictEqual(yield* onBothNodes(round, submitUntilAnswered(proposal_id)), allDone)
        assert.deepInclude((yield* readApplication).proposal, { status: "PAID", disbursement_attempt: 2 })
      }))
  }
)
