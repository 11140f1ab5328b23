import { assert, describe, it } from "@effect/vitest"
import {
  saveApplication,
  ScriptedLender,
  storeContractedApplication,
  storeRootPartner,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { pollContract, submitContract } from "../../src/jobs/runContract.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { type Application } from "../../src/loan/Application.ts"
import { ApplicationRepository } from "../../src/origination/ApplicationRepository.ts"
import { Busy, UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, outcomeOf, runWithoutWorkers } from "../fixtures.ts"

/** A contract that awaits the customer's signature. */
const unsigned = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  const id = application.proposal?.proposal_id as ProposalId
  yield* submitContract(id)
  yield* TestClock.adjust("100 millis")
  return { application, id }
})

const historyOf = (application: Application) =>
  Effect.map(loadApplication(application), ({ proposal }) => proposal?.status_history.map(({ status }) => status))

describe("pollContract", () => {
  it.effect("LENDER-03 FGTS-19 after a failed payment the lender may still cancel, reject or pay", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const ends = { CANCELLED: ["CANCELLED"], REJECTED: ["REJECTED"], PAID: ["DISBURSING", "PAID"] } as const
      for (const status of ["CANCELLED", "REJECTED", "PAID"] as const) {
        const { application, id } = yield* unsigned
        yield* scripted.moveContract(id, "DISBURSEMENT_FAILED")
        assert.deepStrictEqual(yield* pollContract(id), { _tag: "WAIT", after_ms: 100 })
        const failed = (yield* historyOf(application)) ?? []
        assert.strictEqual(failed.at(-1), "DISBURSEMENT_FAILED")
        yield* scripted.moveContract(id, status, { rejection: null })
        yield* TestClock.adjust("100 millis")
        const observed = { _tag: "WAIT", after_ms: 600_000 } as const
        assert.deepStrictEqual(yield* pollContract(id), status === "PAID" ? observed : { _tag: "DONE" }, status)
        assert.deepStrictEqual(yield* historyOf(application), [...failed, ...ends[status]])
      }
    })))

  it.effect("FGTS-79 a payment that the lender denies later stays recorded, and the operator is told", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const { application, id } = yield* unsigned
      yield* scripted.moveContract(id, "PAID", { rejection: null })
      yield* pollContract(id)
      const paid = yield* loadApplication(application)
      yield* scripted.moveContract(id, "DISBURSEMENT_FAILED")
      const lines: Array<string> = []
      const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
      yield* TestClock.adjust("10 minutes")
      yield* Effect.provide(pollContract(id), logs)
      assert.deepStrictEqual(yield* loadApplication(application), paid)
      assert.deepStrictEqual(lines.map((line) => JSON.parse(line).level), ["ERROR"])
      assert.include(lines.join(), id)
    })))

  it.effect("LENDER-03 a poll whose result cannot be recorded fails, and the next poll records it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* unsigned
      yield* TestClock.adjust("10 hours")
      yield* (yield* ScriptedLender).moveContract(id, "GUARANTEE_PENDING")
      const busy = UnitOfWork.of({
        atomically: () => Effect.fail(new Busy({ retry_after_seconds: 1 })),
        isOpen: Effect.succeed(false)
      })
      assert.strictEqual(yield* outcomeOf(Effect.provideService(pollContract(id), UnitOfWork, busy)), "Busy")
      assert.strictEqual((yield* historyOf(application))?.at(-1), "AWAITING_SIGNATURE")
      yield* pollContract(id)
      assert.strictEqual((yield* historyOf(application))?.at(-1), "GUARANTEE_PENDING")
    })))

  it.effect("LENDER-03 a change recorded while the lender is polled takes precedence: a repeated payment is polled soon", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const applications = yield* ApplicationRepository
      const unavailable = Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "" }))
      for (const answer of [lender.contract, () => unavailable]) {
        const { application, id } = yield* unsigned
        yield* (yield* ScriptedLender).moveContract(id, "DISBURSEMENT_FAILED")
        yield* pollContract(id)
        yield* TestClock.adjust("10 hours")
        const failed = yield* loadApplication(application)
        const correcting = Effect.flatMap(
          currentTimestamp,
          (at) => saveApplication(failed, submitExampleKyc(failed, { at }))
        )
        const corrected = Lender.of({
          ...lender,
          contract: (reference) =>
            Effect.gen(function*() {
              yield* Effect.provideService(correcting, ApplicationRepository, applications)
              return yield* answer(reference)
            })
        })
        yield* Effect.provideService(pollContract(id), Lender, corrected)
        assert.strictEqual((yield* historyOf(application))?.at(-1), "DISBURSING")
        assert.deepStrictEqual(yield* pollContract(id), { _tag: "WAIT", after_ms: 100 })
      }
    })))
})
