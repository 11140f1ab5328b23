import { assert, it } from "@effect/vitest"
import { runQuote } from "@lastro/domain/jobs"
import { submitKyc } from "@lastro/domain/origination"
import { aCompleteKyc, ScriptedLender } from "@lastro/testkit"
import { Effect, Result } from "effect"
import { keepInstallments } from "../../../../domain/test/origination/keepInstallments.ts"
import { acceptAndLog, createAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication, offerIdsOf, readStored } from "./fixtures.ts"
import { layerTwoStartOnly, onOtherNode } from "./nodes.ts"
import { concurrently, race } from "./race.ts"
import { repeatRace, runPendingJobs } from "./repeatRace.ts"

/** Makes two acceptable applications of one customer: one of a partner, one of its parent. */
const makeTwoApplications = Effect.gen(function*() {
  const one = yield* makeAcceptableApplication
  const { customer, root, writers } = one
  const opened = yield* createAndLog(writers[1], { external_id: "loan-2", customer, partner_id: root.partner_id })
  const { application_id, quote: { quote_id } } = opened
  yield* runQuote(quote_id)
  yield* submitKyc(writers[1], application_id, aCompleteKyc().for(customer).build())
  const readApplication = readStored(application_id, root)
  // Writers of the root may see both applications.
  const both = [writers[1], writers[3], writers[1], writers[3]] as const
  return {
    ...one,
    writers: both,
    other: { application_id, offers: offerIdsOf(yield* readApplication), readApplication }
  }
})

it.layer(layerTwoStartOnly, { excludeTestServices: true, timeout: "1 minute" })(
  "concurrent acceptances of one customer",
  (it) => {
    it.effect("FGTS-47 of acceptances on two applications of one CPF, exactly one succeeds", () =>
      repeatRace(makeTwoApplications, function*({ application_id, offers, other, readApplication, writers }, round) {
        const enter = yield* race(round, 2)
        const outcomes = yield* Effect.all([
          enter(acceptAndLog(writers[0], application_id, offers[round % 3] ?? offers[0])),
          enter(onOtherNode(acceptAndLog(writers[1], other.application_id, other.offers[0])))
        ], concurrently)
        const refused = "OfferNotAvailable EXISTING_CONTRACT"
        assert.deepStrictEqual(outcomes.toSorted(), ["done", refused].toSorted())
        const proposals = [(yield* readApplication).proposal, (yield* other.readApplication).proposal]
        assert.deepStrictEqual(
          proposals.map((proposal) => proposal !== null),
          outcomes.map((one) => one === "done")
        )
      }))

    it.effect("FGTS-61 after the acceptance that pledges the next withdrawal, the other application is refused", () =>
      repeatRace(
        Effect.tap(makeTwoApplications, ({ other, readApplication }) =>
          Effect.gen(function*() {
            yield* keepInstallments(yield* readApplication, 0, 1)
            yield* keepInstallments(yield* other.readApplication, 1)
          })),
        function*({ application_id, offers, other, readApplication, writers }, round) {
          const enter = yield* race(round, 2)
          const [next, later] = yield* Effect.all([
            enter(acceptAndLog(writers[0], application_id, offers[0])),
            enter(onOtherNode(acceptAndLog(writers[1], other.application_id, other.offers[0])))
          ], concurrently)
          // Only the first offer pledges the next withdrawal, so nothing refuses it. The other offer was accepted before it,
          // or is refused.
          assert.strictEqual(next, "done")
          assert.include(["done", "OfferNotAvailable EXISTING_CONTRACT"], later)
          assert.isNotNull((yield* readApplication).proposal)
          assert.strictEqual((yield* other.readApplication).proposal === null, later !== "done")
          // The first acceptance has ended, so the result of the other one is final.
          const again = yield* Effect.result(acceptAndLog(writers[1], other.application_id, other.offers[0]))
          assert.strictEqual(Result.isSuccess(again), later === "done")
        }
      ))

    it.effect("FGTS-47 of twenty acceptances on two applications of one CPF, those of one application succeed", () =>
      repeatRace(makeTwoApplications, function*({ application_id, offers, other, readApplication, writers }, round) {
        const racers = 20
        const enter = yield* race(round, racers)
        const accepting = Array.from({ length: racers }, (_, index) => {
          const acceptance = index % 2 === 0
            ? acceptAndLog(writers[index % 4] ?? writers[0], application_id, offers[0])
            : acceptAndLog(writers[1], other.application_id, other.offers[0])
          return enter(index % 3 === 0 ? onOtherNode(acceptance) : acceptance)
        })
        const outcomes = yield* Effect.all(accepting, concurrently)
        const isFirst = (yield* readApplication).proposal !== null
        assert.strictEqual((yield* other.readApplication).proposal === null, isFirst)
        assert.deepStrictEqual(
          outcomes,
          outcomes.map((_, index) => (index % 2 === 0) === isFirst ? "done" : "OfferNotAvailable EXISTING_CONTRACT")
        )
      }))

    it.effect("FGTS-47 an application can be accepted after the other contract has ended", () =>
      Effect.gen(function*() {
        const lender = yield* ScriptedLender
        const { application_id, offers, other, writers } = yield* makeTwoApplications
        yield* lender.setContractStatus("CANCELLED")
        yield* acceptAndLog(writers[0], application_id, offers[0])
        yield* runPendingJobs
        yield* acceptAndLog(writers[1], other.application_id, other.offers[0])
        assert.isNotNull((yield* other.readApplication).proposal)
      }))
  }
)
