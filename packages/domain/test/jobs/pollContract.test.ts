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
import { acceptedOffer, type Application, contractTerms } from "../../src/loan/Application.ts"
import { ApplicationRepository } from "../../src/origination/ApplicationRepository.ts"
import { Busy, UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { centavos } from "../../src/values/Centavos.ts"
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

  it.effect("FGTS-80 the operator is warned once about final terms with another amount than the accepted offer", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const { application, id } = yield* unsigned
      const { terms } = acceptedOffer(yield* loadApplication(application))!
      const lines: Array<{ readonly level: string; readonly annotations: unknown }> = []
      const logs = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(JSON.parse(line)))])
      const poll = Effect.gen(function*() {
        yield* TestClock.adjust("10 minutes")
        yield* Effect.provide(pollContract(id), logs)
        return lines.splice(0).map(({ annotations, level }) => ({ level, annotations }))
      })
      const warnings = (...changed: ReadonlyArray<string>) => [
        { level: "WARN", annotations: { proposal_id: id, lender: "scripted", changed } }
      ]
      const tenfold = centavos(terms.net_amount * 10)
      yield* scripted.moveContract(id, "GUARANTEE_PENDING", { terms: { ...terms, iof_amount: centavos(1) } })
      assert.deepStrictEqual(yield* poll, [])
      yield* scripted.moveContract(id, "GUARANTEE_PENDING", { terms: { ...terms, net_amount: tenfold } })
      assert.deepStrictEqual(yield* poll, warnings("net_amount"))
      assert.deepStrictEqual(contractTerms(yield* loadApplication(application))?.net_amount, tenfold)
      yield* scripted.moveContract(id, "DISBURSING", { terms: { ...terms, net_amount: tenfold } })
      assert.deepStrictEqual(yield* poll, [])
      const other = { ...terms, gross_amount: centavos(1), net_amount: centavos(1) }
      yield* scripted.moveContract(id, "PAID", { terms: other, rejection: null })
      assert.deepStrictEqual(yield* poll, warnings("gross_amount", "net_amount"))
      yield* scripted.moveContract(id, "PAID", { terms, rejection: null })
      assert.deepStrictEqual(yield* poll, [])
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
