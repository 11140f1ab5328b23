import { assert, it } from "@effect/vitest"
import {
  ApplicationRepository,
  asOperator,
  latestQuote,
  millisOf,
  submitKyc,
  type Timestamp,
  timestampOf,
  UnitOfWork
} from "@lastro/domain"
import { Deferred, Effect } from "effect"
import { awaited } from "../../awaited.ts"
import { accepts, requotes } from "./AnswerLog.ts"
import { clockAt } from "./clocks.ts"
import { givenAcceptable } from "./fixtures.ts"
import { layerTwoPromising, onOther } from "./nodes.ts"
import { atOnce, outcomeOf, together } from "./race.ts"
import { byHand, inRounds } from "./repeatRace.ts"

/** When applications are quoted, and so what ends their offers. */
const beginnings = {
  "a day after the quote": "2026-03-10T12:00:00.000Z",
  "at the midnight of another policy": "2026-10-31T20:00:00.000Z"
}

/** An application quoted at that time, the instant at which its offers expire, and the last one before. */
const givenAcceptableAt = Effect.fnUntraced(function*(begins: Timestamp) {
  const acceptable = yield* clockAt(begins)(givenAcceptable)
  const [expires_at = begins] = latestQuote(yield* acceptable.present).offers.map((offer) => offer.expires_at)
  return { ...acceptable, expires_at, before: timestampOf(millisOf(expires_at) - 1) }
})

it.layer(layerTwoPromising, { excludeTestServices: true, timeout: "1 minute" })("nodes whose clocks differ", (it) => {
  for (const [when, begins] of Object.entries(beginnings)) {
    const given = givenAcceptableAt(begins as Timestamp)

    it.effect(`T43 in the last instant an offer is accepted, in the next only again, ${when}`, () =>
      inRounds(
        given,
        byHand,
        ({ application_id, before, expires_at, offers, present, writers }, round) =>
          Effect.gen(function*() {
            const accepting = (place: 0 | 1) => accepts(writers[place], application_id, offers[place])
            const racer = yield* atOnce(round, 3)
            const [inTime, late, other] = yield* Effect.all([
              racer(clockAt(before)(accepting(0))),
              racer(onOther(clockAt(expires_at)(accepting(0)))),
              racer(onOther(clockAt(expires_at)(accepting(1))))
            ], together)
            assert.strictEqual(inTime, "done")
            assert.include(["done", "OfferNotAvailable EXPIRED"], late)
            assert.include(["OfferNotAvailable DECLINED", "OfferNotAvailable EXPIRED"], other)
            const { proposal } = yield* present
            assert.deepInclude(proposal, { offer_id: offers[0], created_at: before })
          })
      ))

    it.effect(`T43 with KYC on a node that is past the expiry: one of the two happens, and nothing brings the offer back, ${when}`, () =>
      inRounds(
        given,
        byHand,
        ({ application_id, before, expires_at, offers, present, writers }, round) =>
          Effect.gen(function*() {
            const accepting = clockAt(before)(accepts(writers[0], application_id, offers[0]))
            const submitting = submitKyc(writers[1], application_id, { mother_name: "Outra Mãe" })
            const racer = yield* atOnce(round, 2)
            const outcomes = yield* Effect.all([
              racer(accepting),
              racer(onOther(clockAt(expires_at)(submitting)))
            ], together)
            const accepted = (yield* present).proposal !== null
            const expired = "OfferNotAvailable EXPIRED"
            assert.deepStrictEqual(outcomes, accepted ? ["done", "KycLocked"] : [expired, "done"])
            assert.strictEqual(yield* outcomeOf(accepting), accepted ? "done" : expired)
          })
      ))

    it.effect(`T41 T43 with a new quote on a node that is past the expiry: one of the two happens, ${when}`, () =>
      inRounds(
        given,
        byHand,
        ({ application_id, before, expires_at, offers, present, writers }, round) =>
          Effect.gen(function*() {
            const accepting = clockAt(before)(accepts(writers[0], application_id, offers[0]))
            const requoting = clockAt(expires_at)(requotes(writers[1], application_id))
            const racer = yield* atOnce(round, 2)
            const outcomes = yield* Effect.all([racer(accepting), racer(onOther(requoting))], together)
            const accepted = (yield* present).proposal !== null
            const [done, refused] = ["done", accepted ? "ApplicationNotQuotable" : "OfferNotAvailable SUPERSEDED"]
            assert.deepStrictEqual(outcomes, accepted ? [done, refused] : [refused, done])
          })
      ))

    it.effect(`T43 what counts is when the application is held, not when it was asked for, ${when}`, () =>
      inRounds(
        given,
        byHand,
        ({ application_id, before, expires_at, offers, partner, present, writers }) =>
          Effect.gen(function*() {
            let clock = before
            const held = yield* Deferred.make<void>()
            const holding = Effect.gen(function*() {
              yield* (yield* ApplicationRepository).findForUpdate(asOperator.scope(partner.partner_id), application_id)
              yield* Deferred.succeed(held, undefined)
              yield* awaited
              clock = expires_at
            })
            const [late] = yield* Effect.all([
              Effect.andThen(
                Deferred.await(held),
                outcomeOf(clockAt(() => clock)(accepts(writers[0], application_id, offers[0])))
              ),
              onOther(Effect.flatMap(UnitOfWork, (unit) => unit.atomically(Effect.orDie(holding))))
            ], { concurrency: 2 })
            assert.strictEqual(late, "OfferNotAvailable EXPIRED")
            assert.isNull((yield* present).proposal)
          })
      ))
  }
})
