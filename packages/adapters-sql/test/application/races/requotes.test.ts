import { assert, it } from "@effect/vitest"
import { latestQuote, type OfferId, runQuote } from "@lastro/domain"
import { held, refusing, ScriptedLender, usualAnswer } from "@lastro/testkit"
import { Effect, Fiber, Latch } from "effect"
import { until } from "../../work/until.ts"
import { accepts, requotes } from "./AnswerLog.ts"
import { givenAcceptable, givenOpened, givenQuoted, offersOf } from "./fixtures.ts"
import { layerPromising } from "./nodes.ts"
import { atOnce, startingAtOnce, together } from "./race.ts"
import { byHand, inRounds } from "./repeatRace.ts"

/** One of so many is done, and the others are refused like this. */
const oneOf = (many: number, refusal: string): ReadonlyArray<string> => [
  ...Array.from({ length: many - 1 }, () => refusal),
  "done"
]

it.layer(layerPromising, { excludeTestServices: true, timeout: "1 minute" })("new quotes at once", (it) => {
  it.effect("T41 with an acceptance: one of the two happens, and no offer of a superseded quote is accepted", () =>
    inRounds(givenAcceptable, byHand, ({ application_id, offers, present, writers }, round) =>
      Effect.gen(function*() {
        const many = 1 + round % 3
        const racer = yield* atOnce(round, 2 * many)
        const outcomes = yield* Effect.all([
          ...offers.slice(0, many).map((offer) => racer(accepts(writers[0], application_id, offer))),
          ...offers.slice(0, many).map(() => racer(requotes(writers[1], application_id)))
        ], together)
        const [accepted, requoted] = [outcomes.slice(0, many).toSorted(), outcomes.slice(many).toSorted()]
        const { proposal, quotes } = yield* present
        if (proposal === null) {
          assert.deepStrictEqual(accepted, Array.from({ length: many }, () => "OfferNotAvailable SUPERSEDED"))
          assert.deepStrictEqual(requoted, oneOf(many, "QuoteInProgress"))
          assert.strictEqual(quotes.length, 2)
        } else {
          assert.deepStrictEqual(accepted, oneOf(many, "OfferNotAvailable DECLINED"))
          assert.deepStrictEqual(requoted, Array.from({ length: many }, () => "ApplicationNotQuotable"))
          assert.strictEqual(quotes.length, 1)
        }
      })))

  it.effect("T40 acceptances of old offers beside the new quote's answer, and of old and new ones: only a new one is", () =>
    inRounds(givenAcceptable, byHand, ({ application_id, offers, present, writers }, round) =>
      Effect.gen(function*() {
        const { quote: { quote_id } } = yield* requotes(writers[0], application_id)
        const accepting = (offer: OfferId) => accepts(writers[1], application_id, offer)
        const superseded = offers.map(() => "OfferNotAvailable SUPERSEDED")
        const racer = yield* atOnce(round, 1 + offers.length)
        const beside = yield* Effect.all(
          [racer(runQuote(quote_id)), ...offers.map((one) => racer(accepting(one)))],
          together
        )
        assert.deepStrictEqual(beside, ["done", ...superseded])
        const fresh = offersOf(yield* present)
        const again = yield* atOnce(round, offers.length + fresh.length)
        const outcomes = yield* Effect.forEach([...offers, ...fresh], (one) => again(accepting(one)), together)
        assert.deepStrictEqual(outcomes.slice(0, offers.length), superseded)
        const accepted = outcomes.slice(offers.length).toSorted()
        assert.deepStrictEqual(accepted, oneOf(fresh.length, "OfferNotAvailable DECLINED"))
      })))

  for (const many of [2, 10]) {
    it.effect(`T41 of ${many} for one application one is pending, and the others are refused`, () =>
      inRounds(givenQuoted, byHand, ({ application_id, present, writers }, round) =>
        Effect.gen(function*() {
          const racer = yield* atOnce(round, many)
          const requoting = Array.from({ length: many }, (_, index) =>
            requotes(writers[index % 2 === 0 ? 0 : 1], application_id, { max_installments: 3 + index % 3 }))
          const outcomes = yield* Effect.forEach(requoting, racer, together)
          assert.deepStrictEqual(outcomes.toSorted(), oneOf(many, "QuoteInProgress"))
          const { quotes } = yield* present
          assert.deepStrictEqual(quotes.map(({ number, outcome }) => [number, outcome]), [
            [1, "COMPLETED"],
            [2, "PENDING"]
          ])
        })))
  }

  it.effect("T46 with a second answer to the quote before, a late one: it is dropped, whatever it says", () =>
    inRounds(givenOpened, byHand, ({ application_id, present, quote_id, writers }, round) =>
      Effect.gen(function*() {
        const lender = yield* ScriptedLender
        const release = yield* Latch.make()
        const late = round % 2 === 0 ? refusing("NO_BALANCE") : usualAnswer
        const first = round % 2 === 0 ? usualAnswer : refusing("NO_AUTHORIZATION")
        yield* lender.answersQuotes(held(release, late), first, usualAnswer)
        const { length } = yield* lender.calls
        const delayed = yield* Effect.forkChild(runQuote(quote_id))
        yield* until("the lender is asked", Effect.map(lender.calls, (calls) => calls.length > length))
        yield* runQuote(quote_id)
        const { quotes: [answered] } = yield* present
        assert.strictEqual(answered.outcome, round % 2 === 0 ? "COMPLETED" : "REJECTED")
        const racer = yield* startingAtOnce(round >> 1, 2)
        const outcomes = yield* Effect.all([
          racer(Effect.andThen(release.open, Fiber.join(delayed))),
          racer(requotes(writers[0], application_id))
        ], together)
        assert.deepStrictEqual(outcomes, ["done", "done"])
        const application = yield* present
        assert.deepStrictEqual(application.quotes[0], answered)
        assert.deepInclude(latestQuote(application), { number: 2, outcome: "PENDING", offers: [] })
      })))
})
