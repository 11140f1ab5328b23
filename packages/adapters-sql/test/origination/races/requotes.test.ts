import { assert, it } from "@effect/vitest"
import { runQuote } from "@lastro/domain/jobs"
import { latestQuote } from "@lastro/domain/loan"
import { type OfferId } from "@lastro/domain/values"
import { held, refusing, ScriptedLender, usualAnswer } from "@lastro/testkit"
import { Effect, Fiber, Latch } from "effect"
import { waitUntil } from "../../coordination.ts"
import { acceptAndLog, requoteAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication, makeOpenedApplication, makeQuotedApplication, offerIdsOf } from "./fixtures.ts"
import { layerStartOnlyNode } from "./nodes.ts"
import { concurrently, race, raceFromStart } from "./race.ts"
import { repeatRace } from "./repeatRace.ts"

/** The sorted outcomes if one of `many` racers succeeds and the others are refused. */
const oneSucceeds = (many: number, refusal: string): ReadonlyArray<string> => [
  ...Array.from({ length: many - 1 }, () => refusal),
  "done"
]

it.layer(layerStartOnlyNode, { excludeTestServices: true, timeout: "1 minute" })("concurrent new quotes", (it) => {
  it.effect("T41 of new quotes and acceptances one side succeeds, and no offer of a superseded quote is accepted", () =>
    repeatRace(makeAcceptableApplication, function*({ application_id, offers, readApplication, writers }, round) {
      const many = 1 + round % 3
      const enter = yield* race(round, 2 * many)
      const outcomes = yield* Effect.all([
        ...offers.slice(0, many).map((offer) => enter(acceptAndLog(writers[0], application_id, offer))),
        ...offers.slice(0, many).map(() => enter(requoteAndLog(writers[1], application_id)))
      ], concurrently)
      const [accepted, requoted] = [outcomes.slice(0, many).toSorted(), outcomes.slice(many).toSorted()]
      const { proposal, quotes } = yield* readApplication
      if (proposal === null) {
        assert.deepStrictEqual(accepted, Array.from({ length: many }, () => "OfferNotAvailable SUPERSEDED"))
        assert.deepStrictEqual(requoted, oneSucceeds(many, "QuoteInProgress"))
        assert.strictEqual(quotes.length, 2)
      } else {
        assert.deepStrictEqual(accepted, oneSucceeds(many, "OfferNotAvailable DECLINED"))
        assert.deepStrictEqual(requoted, Array.from({ length: many }, () => "ApplicationNotQuotable"))
        assert.strictEqual(quotes.length, 1)
      }
    }))

  it.effect("T40 of superseded and new offers only a new one is accepted, during and after the new quote", () =>
    repeatRace(makeAcceptableApplication, function*({ application_id, offers, readApplication, writers }, round) {
      const { quote: { quote_id } } = yield* requoteAndLog(writers[0], application_id)
      const acceptance = (offer: OfferId) => acceptAndLog(writers[1], application_id, offer)
      const superseded = offers.map(() => "OfferNotAvailable SUPERSEDED")
      const enter = yield* race(round, 1 + offers.length)
      const first = yield* Effect.all(
        [enter(runQuote(quote_id)), ...offers.map((one) => enter(acceptance(one)))],
        concurrently
      )
      assert.deepStrictEqual(first, ["done", ...superseded])
      const fresh = offerIdsOf(yield* readApplication)
      const enterAgain = yield* race(round, offers.length + fresh.length)
      const outcomes = yield* Effect.forEach(
        [...offers, ...fresh],
        (one) => enterAgain(acceptance(one)),
        concurrently
      )
      assert.deepStrictEqual(outcomes.slice(0, offers.length), superseded)
      const accepted = outcomes.slice(offers.length).toSorted()
      assert.deepStrictEqual(accepted, oneSucceeds(fresh.length, "OfferNotAvailable DECLINED"))
    }))

  for (const many of [2, 10]) {
    it.effect(`T41 of ${many} new quotes of one application one becomes pending and the others are refused`, () =>
      repeatRace(makeQuotedApplication, function*({ application_id, readApplication, writers }, round) {
        const enter = yield* race(round, many)
        const requoteRequest = Array.from(
          { length: many },
          (_, index) =>
            requoteAndLog(writers[index % 2 === 0 ? 0 : 1], application_id, { max_installments: 3 + index % 3 })
        )
        const outcomes = yield* Effect.forEach(requoteRequest, enter, concurrently)
        assert.deepStrictEqual(outcomes.toSorted(), oneSucceeds(many, "QuoteInProgress"))
        const { quotes } = yield* readApplication
        assert.deepStrictEqual(quotes.map(({ number, outcome }) => [number, outcome]), [
          [1, "COMPLETED"],
          [2, "PENDING"]
        ])
      }))
  }

  it.effect("T46 a late second answer to the previous quote is dropped, whatever its content", () =>
    repeatRace(makeOpenedApplication, function*({ application_id, readApplication, quote_id, writers }, round) {
      const lender = yield* ScriptedLender
      const release = yield* Latch.make()
      const late = round % 2 === 0 ? refusing("NO_BALANCE") : usualAnswer
      const first = round % 2 === 0 ? usualAnswer : refusing("NO_AUTHORIZATION")
      yield* lender.setQuoteAnswers(held(release, late), first, usualAnswer)
      const { length } = yield* lender.calls
      const delayed = yield* Effect.forkChild(runQuote(quote_id))
      yield* waitUntil(
        "the lender receives the request",
        Effect.map(lender.calls, (calls) => calls.length > length)
      )
      yield* runQuote(quote_id)
      const { quotes: [answered] } = yield* readApplication
      assert.strictEqual(answered.outcome, round % 2 === 0 ? "COMPLETED" : "REJECTED")
      const enter = yield* raceFromStart(round >> 1, 2)
      const outcomes = yield* Effect.all([
        enter(Effect.andThen(release.open, Fiber.join(delayed))),
        enter(requoteAndLog(writers[0], application_id))
      ], concurrently)
      assert.deepStrictEqual(outcomes, ["done", "done"])
      const application = yield* readApplication
      assert.deepStrictEqual(application.quotes[0], answered)
      assert.deepInclude(latestQuote(application), { number: 2, outcome: "PENDING", offers: [] })
    }))
})
