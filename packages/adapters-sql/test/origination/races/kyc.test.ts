import { assert, it } from "@effect/vitest"
import { acceptOffer, submitKyc } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { Effect } from "effect"
import { acceptAndLog } from "./AnswerLog.ts"
import { makeAcceptableApplication } from "./fixtures.ts"
import { layerStartOnlyNode } from "./nodes.ts"
import { concurrently, race } from "./race.ts"
import { repeatRace } from "./repeatRace.ts"

const rollBack = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    UnitOfWork,
    (unit) => unit.atomically(Effect.andThen(effect, Effect.fail({ _tag: "RolledBack" } as const)))
  )

/** KYC patches that each clear a required field. */
const clearingPatches = [{ mother_name: null }, { address: { city: null } }, { pix: null }] as const

it.layer(layerStartOnlyNode, { excludeTestServices: true, timeout: "1 minute" })(
  "KYC and a concurrent acceptance",
  (it) => {
    it.effect("T44 either a required field is cleared or an offer is accepted, never both", () =>
      repeatRace(
        makeAcceptableApplication,
        function*({ application_id, kyc, offers, readApplication, writers }, round) {
          const enter = yield* race(round, 2)
          const outcomes = yield* Effect.all([
            enter(acceptAndLog(writers[0], application_id, offers[0])),
            enter(submitKyc(writers[1], application_id, clearingPatches[round % clearingPatches.length]))
          ], concurrently)
          const application = yield* readApplication
          const accepted = application.proposal !== null
          assert.deepStrictEqual(outcomes, accepted ? ["done", "KycLocked"] : ["KycIncomplete", "done"])
          if (accepted) assert.deepStrictEqual(application.kyc, kyc)
        }
      ))

    it.effect("T44 a submission that is rolled back has no effect on the acceptance", () =>
      repeatRace(
        makeAcceptableApplication,
        function*({ application_id, kyc, offers, readApplication, writers }, round) {
          const { mother_name } = kyc
          const acceptance = acceptAndLog(writers[0], application_id, offers[0])
          yield* submitKyc(writers[1], application_id, { mother_name: null })
          const completeKyc = rollBack(submitKyc(writers[1], application_id, { mother_name }))
          const enter = yield* race(round, 2)
          const refused = yield* Effect.all([enter(acceptance), enter(completeKyc)], concurrently)
          assert.deepStrictEqual(refused, ["KycIncomplete", "RolledBack"])
          yield* submitKyc(writers[1], application_id, { mother_name })
          const clearKyc = rollBack(submitKyc(writers[1], application_id, { mother_name: null }))
          const enterAgain = yield* race(round, 2)
          const outcomes = yield* Effect.all([enterAgain(acceptance), enterAgain(clearKyc)], concurrently)
          assert.deepInclude([["done", "RolledBack"], ["done", "KycLocked"]], outcomes)
          assert.deepStrictEqual((yield* readApplication).kyc, kyc)
        }
      ))

    it.effect("T44 an acceptance that is rolled back does not lock the KYC", () =>
      repeatRace(makeAcceptableApplication, function*({ application_id, offers, readApplication, writers }, round) {
        const acceptance = rollBack(acceptOffer(writers[0], application_id, offers[0], { terms_accepted: true }))
        const clearKyc = submitKyc(writers[1], application_id, { mother_name: null })
        const enter = yield* race(round, 2)
        const outcomes = yield* Effect.all([enter(acceptance), enter(clearKyc)], concurrently)
        assert.deepInclude([["RolledBack", "done"], ["KycIncomplete", "done"]], outcomes)
        assert.isNull((yield* readApplication).proposal)
      }))

    it.effect("T45 the payment goes to the account that was submitted last before the acceptance", () =>
      repeatRace(
        makeAcceptableApplication,
        function*({ application_id, kyc, offers, readApplication, writers }, round) {
          const keys = Array.from({ length: 6 }, (_, index) => `ana${index}@example.com`)
          const enter = yield* race(round, keys.length + 1)
          const outcomes = yield* Effect.all([
            ...keys.map((key) => enter(submitKyc(writers[1], application_id, { pix: { type: "EMAIL", key } }))),
            enter(acceptAndLog(writers[0], application_id, offers[0]))
          ], concurrently)
          assert.strictEqual(outcomes.at(-1), "done")
          assert.includeMembers(["done", "KycLocked"], outcomes)
          const application = yield* readApplication
          const submitted = keys.filter((_, index) => outcomes[index] === "done")
          assert.include([kyc.pix?.key, ...submitted], application.proposal?.disbursement.pix?.key)
          assert.deepStrictEqual(application.kyc?.pix, application.proposal?.disbursement.pix)
        }
      ))
  }
)
