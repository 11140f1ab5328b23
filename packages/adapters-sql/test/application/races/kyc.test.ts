import { assert, it } from "@effect/vitest"
import { acceptOffer, submitKyc, UnitOfWork } from "@lastro/domain"
import { Effect } from "effect"
import { accepts } from "./AnswerLog.ts"
import { givenAcceptable } from "./fixtures.ts"
import { layerPromising } from "./nodes.ts"
import { atOnce, together } from "./race.ts"
import { byHand, inRounds } from "./repeatRace.ts"

/** Does something that is undone before anybody is told. */
const undone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    UnitOfWork,
    (unit) => unit.atomically(Effect.andThen(effect, Effect.fail({ _tag: "Undone" } as const)))
  )

/** What a complete KYC cannot do without. */
const cleared = [{ mother_name: null }, { address: { city: null } }, { pix: null }] as const

it.layer(layerPromising, { excludeTestServices: true, timeout: "1 minute" })("KYC and an acceptance at once", (it) => {
  it.effect("T44 something needed is cleared, or an offer is accepted, never both", () =>
    inRounds(
      givenAcceptable,
      byHand,
      ({ application_id, kyc, offers, present, writers }, round) =>
        Effect.gen(function*() {
          const racer = yield* atOnce(round, 2)
          const outcomes = yield* Effect.all([
            racer(accepts(writers[0], application_id, offers[0])),
            racer(submitKyc(writers[1], application_id, cleared[round % cleared.length]))
          ], together)
          const application = yield* present
          const accepted = application.proposal !== null
          assert.deepStrictEqual(outcomes, accepted ? ["done", "KycLocked"] : ["KycIncomplete", "done"])
          if (accepted) assert.deepStrictEqual(application.kyc, kyc)
        })
    ))

  it.effect("T44 what is submitted and undone was never there", () =>
    inRounds(
      givenAcceptable,
      byHand,
      ({ application_id, kyc, offers, present, writers }, round) =>
        Effect.gen(function*() {
          const { mother_name } = kyc
          const accepting = accepts(writers[0], application_id, offers[0])
          yield* submitKyc(writers[1], application_id, { mother_name: null })
          const completing = undone(submitKyc(writers[1], application_id, { mother_name }))
          const racer = yield* atOnce(round, 2)
          const refused = yield* Effect.all([racer(accepting), racer(completing)], together)
          assert.deepStrictEqual(refused, ["KycIncomplete", "Undone"])
          yield* submitKyc(writers[1], application_id, { mother_name })
          const clearing = undone(submitKyc(writers[1], application_id, { mother_name: null }))
          const again = yield* atOnce(round, 2)
          const outcomes = yield* Effect.all([again(accepting), again(clearing)], together)
          assert.deepInclude([["done", "Undone"], ["done", "KycLocked"]], outcomes)
          assert.deepStrictEqual((yield* present).kyc, kyc)
        })
    ))

  it.effect("T44 an acceptance that is undone locks nothing", () =>
    inRounds(givenAcceptable, byHand, ({ application_id, offers, present, writers }, round) =>
      Effect.gen(function*() {
        const accepting = undone(acceptOffer(writers[0], application_id, offers[0], { terms_accepted: true }))
        const clearing = submitKyc(writers[1], application_id, { mother_name: null })
        const racer = yield* atOnce(round, 2)
        const outcomes = yield* Effect.all([racer(accepting), racer(clearing)], together)
        assert.deepInclude([["Undone", "done"], ["KycIncomplete", "done"]], outcomes)
        assert.isNull((yield* present).proposal)
      })))

  it.effect("T45 the customer is paid to the account that was submitted last before, and to no later one", () =>
    inRounds(
      givenAcceptable,
      byHand,
      ({ application_id, kyc, offers, present, writers }, round) =>
        Effect.gen(function*() {
          const keys = Array.from({ length: 6 }, (_, index) => `ana${index}@example.com`)
          const racer = yield* atOnce(round, keys.length + 1)
          const outcomes = yield* Effect.all([
            ...keys.map((key) => racer(submitKyc(writers[1], application_id, { pix: { type: "EMAIL", key } }))),
            racer(accepts(writers[0], application_id, offers[0]))
          ], together)
          assert.strictEqual(outcomes.at(-1), "done")
          assert.includeMembers(["done", "KycLocked"], outcomes)
          const application = yield* present
          const submitted = keys.filter((_, index) => outcomes[index] === "done")
          assert.include([kyc.pix?.key, ...submitted], application.proposal?.disbursement.pix?.key)
          assert.deepStrictEqual(application.kyc?.pix, application.proposal?.disbursement.pix)
        })
    ))
})
