import { assert, it } from "@effect/vitest"
import { asOperator } from "@lastro/domain/hierarchy"
import { latestQuote } from "@lastro/domain/loan"
import { ApplicationRepository, expireApplications, submitKyc } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { addMillis, type Timestamp, timestampOf } from "@lastro/domain/values"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { awaitBlockedTransaction } from "../../coordination.ts"
import { acceptAndLog, requoteAndLog } from "./AnswerLog.ts"
import { withClockAt } from "./clocks.ts"
import { makeAcceptableApplication } from "./fixtures.ts"
import { layerTwoStartOnly, onOtherNode } from "./nodes.ts"
import { concurrently, outcomeOf, race } from "./race.ts"
import { repeatRace } from "./repeatRace.ts"

/** Two quote times: the offers expire a day after the quote, or at midnight, when the policy changes. */
const quoteTimes = ["2026-03-10T12:00:00.000Z", "2026-10-31T20:00:00.000Z"].map((at) => at as Timestamp)

/** Makes an application that was quoted at a time, with the expiry of its offers and the last instant before it. */
const makeAcceptableApplicationAt = Effect.fnUntraced(function*(quotedAt: Timestamp) {
  const acceptable = yield* withClockAt(quotedAt)(makeAcceptableApplication)
  const [expires_at = quotedAt] = latestQuote(yield* acceptable.readApplication).offers.map((offer) => offer.expires_at)
  return { ...acceptable, expires_at, before: addMillis(expires_at, -1) }
})

/** Makes the application of each round. Both barriers of a race, and both orders after it, meet both quote times. */
const makeFixtures = () => {
  let round = 0
  return Effect.suspend(() => {
    const [time = 0, other = time] = [round & 1, (round >> 1) & 1]
    round++
    return makeAcceptableApplicationAt(quoteTimes[time ^ other] ?? timestampOf(0))
  })
}

it.layer(layerTwoStartOnly, { excludeTestServices: true, timeout: "1 minute" })(
  "nodes with clock skew",
  (it) => {
    it.effect("T43 an offer is accepted in its last instant; from its expiry on only a repeat of that acceptance succeeds", () =>
      repeatRace(
        makeFixtures(),
        function*({ application_id, before, expires_at, offers, readApplication, writers }, round) {
          const acceptance = (place: 0 | 1) => acceptAndLog(writers[place], application_id, offers[place])
          const enter = yield* race(round, 3)
          const [inTime, late, other] = yield* Effect.all([
            enter(withClockAt(before)(acceptance(0))),
            enter(onOtherNode(withClockAt(expires_at)(acceptance(0)))),
            enter(onOtherNode(withClockAt(expires_at)(acceptance(1))))
          ], concurrently)
          assert.strictEqual(inTime, "done")
          assert.include(["done", "OfferNotAvailable EXPIRED"], late)
          assert.include(["OfferNotAvailable DECLINED", "OfferNotAvailable EXPIRED"], other)
          const { proposal } = yield* readApplication
          assert.deepInclude(proposal, { offer_id: offers[0], created_at: before })
        }
      ))

    it.effect("T43 either the acceptance or the KYC of a node past the expiry succeeds, and an expired offer stays expired", () =>
      repeatRace(
        makeFixtures(),
        function*({ application_id, before, expires_at, offers, readApplication, writers }, round) {
          const acceptance = withClockAt(before)(acceptAndLog(writers[0], application_id, offers[0]))
          const kycSubmission = submitKyc(writers[1], application_id, { mother_name: "Outra Mãe" })
          const enter = yield* race(round, 2)
          const outcomes = yield* Effect.all([
            enter(acceptance),
            enter(onOtherNode(withClockAt(expires_at)(kycSubmission)))
          ], concurrently)
          const accepted = (yield* readApplication).proposal !== null
          const expired = "OfferNotAvailable EXPIRED"
          assert.deepStrictEqual(outcomes, accepted ? ["done", "KycLocked"] : [expired, "done"])
          assert.strictEqual(yield* outcomeOf(acceptance), accepted ? "done" : expired)
        }
      ))

    it.effect("T41 T43 either the acceptance or the new quote of a node past the expiry succeeds", () =>
      repeatRace(
        makeFixtures(),
        function*({ application_id, before, expires_at, offers, readApplication, writers }, round) {
          const acceptance = withClockAt(before)(acceptAndLog(writers[0], application_id, offers[0]))
          const requoteRequest = withClockAt(expires_at)(requoteAndLog(writers[1], application_id))
          const enter = yield* race(round, 2)
          const outcomes = yield* Effect.all([enter(acceptance), enter(onOtherNode(requoteRequest))], concurrently)
          const accepted = (yield* readApplication).proposal !== null
          const [done, refused] = ["done", accepted ? "ApplicationNotQuotable" : "OfferNotAvailable SUPERSEDED"]
          assert.deepStrictEqual(outcomes, accepted ? [done, refused] : [refused, done])
        }
      ))

    it.effect("EVENT-08 two nodes append one event for an expired application, and none for an accepted one", () =>
      repeatRace(
        makeFixtures(),
        function*({ application_id, before, expires_at, offers, readApplication, writers }, round) {
          const sql = yield* SqlClient.SqlClient
          const expire = withClockAt(expires_at)(expireApplications())
          if (round % 3 === 2) yield* withClockAt(before)(acceptAndLog(writers[0], application_id, offers[0]))
          yield* withClockAt(before)(expireApplications())
          yield* Effect.all([expire, onOtherNode(expire), expire, onOtherNode(expire)], concurrently)
          yield* expire
          const events = yield* sql`
              select id from event where type = 'application.expired' and subject_id = ${application_id}`
          assert.lengthOf(events, (yield* readApplication).proposal === null ? 1 : 0)
        }
      ))

    it.effect("T43 the expiry is compared with the time at which the lock is acquired, not requested", () =>
      repeatRace(
        makeFixtures(),
        function*({ application_id, before, expires_at, offers, partner, readApplication, writers }) {
          let clock = before
          const held = yield* Deferred.make<void>()
          const holding = Effect.gen(function*() {
            yield* (yield* ApplicationRepository).findForUpdate(
              asOperator.scope(partner.partner_id),
              application_id
            )
            yield* Deferred.succeed(held, undefined)
            yield* awaitBlockedTransaction
            clock = expires_at
          })
          const [late] = yield* Effect.all([
            Effect.andThen(
              Deferred.await(held),
              outcomeOf(withClockAt(() => clock)(acceptAndLog(writers[0], application_id, offers[0])))
            ),
            onOtherNode(Effect.flatMap(UnitOfWork, (unit) => unit.atomically(Effect.orDie(holding))))
          ], { concurrency: 2 })
          assert.strictEqual(late, "OfferNotAvailable EXPIRED")
          assert.isNull((yield* readApplication).proposal)
        }
      ))
  }
)
