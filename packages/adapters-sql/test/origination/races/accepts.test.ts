import { assert, it } from "@effect/vitest"
import { ScriptedLender } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { acceptAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication } from "./fixtures.ts"
import { layerTwoWorkers, onOtherNode } from "./nodes.ts"
import { concurrently, outcomeOf, race } from "./race.ts"
import { awaitPendingJobs, repeatRace } from "./repeatRace.ts"

const racers = 40

it.layer(layerTwoWorkers, { excludeTestServices: true, timeout: "1 minute" })("concurrent acceptances", (it) => {
  it.effect("T42 forty acceptances of three offers by four callers, half of them with idempotency keys, make one contract", () =>
    Effect.gen(function*() {
      const lender = yield* ScriptedLender
      yield* lender.setContractStatus("PAID")
      yield* repeatRace(
        makeAcceptableApplication,
        function*({ application_id, offers, readApplication, writers }, round) {
          const attempts = Array.from({ length: racers }, (_, index) => {
            const offer = offers[index % 3] ?? offers[0]
            const key = `${round} ${offer}`
            // Each key is sent again with the same request, as after a lost answer.
            const sent = index % 2 === 0 ? Result.succeed({ key, fingerprint: key }) : undefined
            const acceptance = acceptAndLog(writers[index % 4] ?? writers[0], application_id, offer, sent)
            return { offer, attempt: index % 5 < 2 ? onOtherNode(acceptance) : acceptance }
          })
          const enter = yield* race(round, racers)
          const first = yield* Effect.forEach(attempts, ({ attempt }) => enter(attempt), concurrently)
          const { proposal } = yield* readApplication
          for (const [index, { attempt, offer }] of attempts.entries()) {
            const expected = offer === proposal?.offer_id ? "done" : "OfferNotAvailable DECLINED"
            if (first[index] === expected) continue
            assert.deepStrictEqual([index % 2, first[index]], [0, "IdempotencyInFlight"])
            assert.strictEqual(yield* outcomeOf(attempt), expected)
          }
        },
        awaitPendingJobs
      )
      const contracts = yield* lender.contracts
      assert.isTrue(contracts.every(({ contract }) => contract.status === "PAID"))
    }))
})
