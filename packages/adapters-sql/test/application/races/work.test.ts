import { assert, it } from "@effect/vitest"
import {
  centavos,
  lookAtContracts,
  millisOf,
  now,
  runQuote,
  submitContract,
  submitKyc,
  timestampOf
} from "@lastro/domain"
import { offering, refusing, ScriptedLender } from "@lastro/testkit"
import { Effect } from "effect"
import { accepts } from "./AnswerLog.ts"
import { clockAt, impatient } from "./clocks.ts"
import { givenAcceptable, givenOpened } from "./fixtures.ts"
import { layerTwoPromising, onOther, type Ports } from "./nodes.ts"
import { atOnce, together } from "./race.ts"
import { byHand, inRounds } from "./repeatRace.ts"

/** An application whose offer was accepted: its contract is promised. */
const givenAccepted = Effect.gen(function*() {
  const lender = yield* ScriptedLender
  yield* lender.does("done")
  yield* lender.bringsContractsTo("AWAITING_SIGNATURE")
  const acceptable = yield* givenAcceptable
  const { proposal_id } = yield* accepts(acceptable.writers[0], acceptable.application_id, acceptable.offers[0])
  return { ...acceptable, proposal_id }
})

/** Looks at the contracts that are due in so many days. */
const lookingIn = (days: number) =>
  Effect.flatMap(now, (at) => clockAt(timestampOf(millisOf(at) + days * 86_400_000))(lookAtContracts()))

/** Runs the same twice on either node, all at once. */
const onBothNodes = Effect.fnUntraced(function*<A, E extends { readonly _tag: string }>(
  round: number,
  work: Effect.Effect<A, E, Ports>
) {
  const racer = yield* atOnce(round, 4)
  return yield* Effect.all([racer(work), racer(onOther(work)), racer(work), racer(onOther(work))], together)
})

const allDone = ["done", "done", "done", "done"]

const path = ["SUBMITTING", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"]

it.layer(layerTwoPromising, { excludeTestServices: true, timeout: "1 minute" })(
  "the same work on two nodes at once",
  (it) => {
    it.effect("T46 a quote has one answer, the first, whatever the others are", () =>
      inRounds(givenOpened, byHand, ({ present, quote_id }, round) =>
        Effect.gen(function*() {
          const lender = yield* ScriptedLender
          const answers = [offering(centavos(900_00)), offering(centavos(800_00), centavos(600_00))] as const
          yield* lender.answersQuotes(answers[round % 2] ?? answers[0], refusing("NO_BALANCE"), ...answers)
          assert.deepStrictEqual(yield* onBothNodes(round, runQuote(quote_id)), allDone)
          const { quotes: [quote], version } = yield* present
          assert.strictEqual(version, 2)
          const nets = quote.offers.map(({ terms }) => Number(terms.net_amount))
          assert.deepInclude([[900_00], [800_00, 600_00], []], nets)
          assert.strictEqual(quote.outcome, nets.length === 0 ? "REJECTED" : "COMPLETED")
        })))

    it.effect("T47 a contract is made once, also when answers are lost", () =>
      inRounds(givenAccepted, byHand, ({ present, proposal_id }, round) =>
        Effect.gen(function*() {
          const lender = yield* ScriptedLender
          yield* lender.bringsContractsTo("PAID")
          if (round % 3 > 0) yield* lender.does("lost", "undone", "lost", "done")
          assert.deepStrictEqual(yield* onBothNodes(round, impatient(submitContract(proposal_id))), allDone)
          const { proposal } = yield* present
          assert.deepStrictEqual(proposal?.status_history.map(({ status }) => status), path)
        })))

    it.effect("T46 each step of a contract is recorded once, while the lender goes on", () =>
      inRounds(givenAccepted, byHand, ({ present, proposal_id }, round) =>
        Effect.gen(function*() {
          const lender = yield* ScriptedLender
          yield* submitContract(proposal_id)
          yield* lender.moves(proposal_id, "GUARANTEE_PENDING")
          // Some are answered before the lender goes on, and some after.
          const going = Effect.andThen(Effect.sleep("1 millis"), lender.moves(proposal_id, "PAID"))
          const [outcomes] = yield* Effect.all([onBothNodes(round, lookingIn(1)), going], together)
          assert.deepStrictEqual(outcomes, allDone)
          yield* lookingIn(2)
          const { proposal } = yield* present
          assert.deepStrictEqual(proposal?.status_history.map(({ status }) => status), path)
        })))

    it.effect("T45 of two corrections of where to pay one is taken, and paid to once", () =>
      inRounds(
        givenAccepted,
        byHand,
        ({ application_id, present, proposal_id, writers }, round) =>
          Effect.gen(function*() {
            const lender = yield* ScriptedLender
            yield* lender.bringsContractsTo("DISBURSEMENT_FAILED")
            yield* submitContract(proposal_id)
            yield* lender.bringsContractsTo("PAID")
            if (round % 2 === 0) yield* lender.does("lost", "undone", "done")
            const correcting = (key: string) => submitKyc(writers[1], application_id, { pix: { type: "EMAIL", key } })
            const racer = yield* atOnce(round, 2)
            const corrected = yield* Effect.all([
              racer(correcting("ana1@example.com")),
              racer(onOther(correcting("ana2@example.com")))
            ], together)
            assert.sameMembers(corrected, ["done", "KycLocked"])
            assert.deepStrictEqual(yield* onBothNodes(round, impatient(submitContract(proposal_id))), allDone)
            assert.deepInclude((yield* present).proposal, { status: "PAID", disbursement_attempt: 2 })
          })
      ))
  }
)
