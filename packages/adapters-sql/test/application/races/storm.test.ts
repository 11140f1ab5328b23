import { assert, it } from "@effect/vitest"
import { submitKyc } from "@lastro/domain"
import { ScriptedLender } from "@lastro/testkit"
import { Effect } from "effect"
import { accepts, requotes } from "./AnswerLog.ts"
import { givenAcceptable } from "./fixtures.ts"
import { layerTwoWorking, onOther } from "./nodes.ts"
import { outcomeOf, together } from "./race.ts"
import { byItself, inRounds } from "./repeatRace.ts"

const actors = 8
const deedsOfEach = 6

const expected = [
  "done",
  "ApplicationNotQuotable",
  "KycIncomplete",
  "KycLocked",
  "OfferNotAvailable DECLINED",
  "OfferNotAvailable SUPERSEDED",
  "QuoteInProgress"
]

it.layer(layerTwoWorking, { excludeTestServices: true, timeout: "1 minute" })("everything at once", (it) => {
  it.effect("T40 T41 T42 T44 T45 T46 eight callers on two nodes at work do whatever they like, and break no rule", () =>
    Effect.gen(function*() {
      yield* (yield* ScriptedLender).bringsContractsTo("PAID")
      const outcomes = new Set<string>()
      yield* inRounds(
        givenAcceptable,
        byItself,
        ({ application_id, kyc, present, writers }, round) =>
          Effect.gen(function*() {
            const accepting = (place: number) =>
              Effect.flatMap(present, ({ quotes }) => {
                const offers = quotes.toReversed().flatMap((quote) => quote.offers)
                const offer = offers[place % Math.max(offers.length, 1)]
                return offer === undefined ? Effect.void : accepts(writers[0], application_id, offer.offer_id)
              })
            // Acceptances are rare, so that much happens before the first.
            const deeds = (number: number) => [
              outcomeOf(requotes(writers[1], application_id)),
              outcomeOf(submitKyc(writers[2], application_id, { mother_name: null })),
              outcomeOf(requotes(writers[1], application_id, { max_installments: 3 })),
              outcomeOf(submitKyc(writers[3], application_id, { mother_name: kyc.mother_name })),
              outcomeOf(
                submitKyc(writers[2], application_id, { pix: { type: "EMAIL", key: `ana${number}@example.com` } })
              ),
              outcomeOf(accepting(number))
            ]
            const racers = Array.from({ length: actors }, (_, actor) => {
              const all = Effect.gen(function*() {
                for (let deed = 0; deed < deedsOfEach; deed++) {
                  const number = round + actor * 7 + deed * 5
                  outcomes.add(yield* deeds(number)[number % 6] ?? Effect.succeed("done"))
                }
              })
              return actor % 2 === 0 ? all : onOther(all)
            })
            yield* Effect.all(racers, { ...together, discard: true })
          })
      )
      assert.includeMembers(expected, [...outcomes])
    }))
})
