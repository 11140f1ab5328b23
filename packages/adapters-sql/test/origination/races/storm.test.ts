import { assert, it } from "@effect/vitest"
import { submitKyc } from "@lastro/domain/origination"
import { ScriptedLender } from "@lastro/testkit"
import { Effect } from "effect"
import { acceptAndLog, requoteAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication } from "./fixtures.ts"
import { layerTwoWorkers, onOtherNode } from "./nodes.ts"
import { concurrently, outcomeOf } from "./race.ts"
import { awaitPendingJobs, repeatRace } from "./repeatRace.ts"

const actors = 8
const actionsPerActor = 6

const expected = [
  "done",
  "ApplicationNotQuotable",
  "KycIncomplete",
  "KycLocked",
  "OfferNotAvailable DECLINED",
  "OfferNotAvailable SUPERSEDED",
  "QuoteInProgress"
]

it.layer(layerTwoWorkers, { excludeTestServices: true, timeout: "1 minute" })("all commands concurrently", (it) => {
  it.effect("T40 T41 T42 T44 T45 T46 eight callers on two nodes mix all commands and break no rule", () =>
    Effect.gen(function*() {
      yield* (yield* ScriptedLender).setContractStatus("PAID")
      const outcomes = new Set<string>()
      yield* repeatRace(makeAcceptableApplication, function*({ application_id, kyc, readApplication, writers }, round) {
        const acceptOne = (place: number) =>
          Effect.flatMap(readApplication, ({ quotes }) => {
            const offers = quotes.toReversed().flatMap((quote) => quote.offers)
            const offer = offers[place % Math.max(offers.length, 1)]
            return offer === undefined ? Effect.void : acceptAndLog(writers[0], application_id, offer.offer_id)
          })
        // Acceptances are rare, so that many commands run before the first.
        const actions = (number: number) => [
          outcomeOf(requoteAndLog(writers[1], application_id)),
          outcomeOf(submitKyc(writers[2], application_id, { mother_name: null })),
          outcomeOf(requoteAndLog(writers[1], application_id, { max_installments: 3 })),
          outcomeOf(submitKyc(writers[3], application_id, { mother_name: kyc.mother_name })),
          outcomeOf(
            submitKyc(writers[2], application_id, { pix: { type: "EMAIL", key: `ana${number}@example.com` } })
          ),
          outcomeOf(acceptOne(number))
        ]
        const racers = Array.from({ length: actors }, (_, actor) => {
          const all = Effect.gen(function*() {
            for (let action = 0; action < actionsPerActor; action++) {
              const number = round + actor * 7 + action * 5
              outcomes.add(yield* actions(number)[number % 6] ?? Effect.succeed("done"))
            }
          })
          return actor % 2 === 0 ? all : onOtherNode(all)
        })
        yield* Effect.all(racers, { ...concurrently, discard: true })
      }, awaitPendingJobs)
      assert.includeMembers(expected, [...outcomes])
    }))
})
