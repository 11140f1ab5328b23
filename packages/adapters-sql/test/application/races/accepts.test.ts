import { assert, it } from "@effect/vitest"
import { CurrentIdempotencyKey } from "@lastro/domain"
import { ScriptedLender } from "@lastro/testkit"
import { Effect, MutableRef } from "effect"
import { accepts } from "./AnswerLog.ts"
import { givenAcceptable } from "./fixtures.ts"
import { layerTwoWorking, onOther } from "./nodes.ts"
import { atOnce, outcomeOf, together } from "./race.ts"
import { byItself, inRounds } from "./repeatRace.ts"

const racers = 40

/** Sends it with a key. */
const keyed = <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() =>
    Effect.provideService(effect, CurrentIdempotencyKey, { key, fingerprint: key, replayed: MutableRef.make(false) })
  )

it.layer(layerTwoWorking, { excludeTestServices: true, timeout: "1 minute" })("acceptances at once", (it) => {
  it.effect("T42 forty of the three offers of an application, by four callers, some under keys, make one contract", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      yield* lender.bringsContractsTo("PAID")
      yield* inRounds(
        givenAcceptable,
        byItself,
        ({ application_id, offers, present, writers }, round) =>
          Effect.gen(function*() {
            const attempts = Array.from({ length: racers }, (_, index) => {
              const offer = offers[index % 3] ?? offers[0]
              const accepting = accepts(writers[index % 4] ?? writers[0], application_id, offer)
              const attempt = index % 5 < 2 ? onOther(accepting) : accepting
              // Every key comes with the same request again, as when an answer was lost.
              return { offer, attempt: index % 2 === 0 ? keyed(`${round} ${offer}`, attempt) : attempt }
            })
            const racer = yield* atOnce(round, racers)
            const first = yield* Effect.forEach(attempts, ({ attempt }) => racer(attempt), together)
            const { proposal } = yield* present
            for (const [index, { attempt, offer }] of attempts.entries()) {
              const expected = offer === proposal?.offer_id ? "done" : "OfferNotAvailable DECLINED"
              if (first[index] === expected) continue
              assert.deepStrictEqual([index % 2, first[index]], [0, "IdempotencyInFlight"])
              assert.strictEqual(yield* outcomeOf(attempt), expected)
            }
          })
      )
      const contracts = yield* lender.contracts
      assert.isTrue(contracts.every(({ contract }) => contract.status === "PAID"))
    }))
})
