import { assert, describe, it } from "@effect/vitest"
import {
  aCompleteKyc,
  exampleBank,
  recordContractStatus,
  saveApplication,
  ScriptedLender,
  storeContractedApplication,
  storeRootPartner,
  submitExampleKyc
} from "@lastro/testkit"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { type Job, jobAnswered, type JobProgress, jobStarted } from "../../src/jobs/Job.ts"
import { contractRetryDelayMs, retryDelayMs } from "../../src/jobs/retry.ts"
import { pollContract, submitContract } from "../../src/jobs/runContract.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { lenderCallDeadlineMs } from "../../src/lender/callWithinLimits.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { LenderSettings } from "../../src/lender/LenderSettings.ts"
import { type Application } from "../../src/loan/Application.ts"
import { type Proposal, referenceOf } from "../../src/loan/Proposal.ts"
import { correctionTimeMs } from "../../src/loan/proposalExpiry.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp, millisOf } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { msAfter } from "../loan/examples.ts"
import { runUntilAnswered } from "./runs.ts"

const proposalOf = ({ proposal }: Application): Proposal => {
  if (proposal === null) throw new Error("the application has no proposal")
  return proposal
}

const jobOf = (id: ProposalId): Job => ({ kind: "contract", id })

/** A contract that has not been submitted to the lender. */
const accepted = Effect.gen(function*() {
  const application = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  return { application, id: proposalOf(application).proposal_id }
})

const statusOf = (application: Application) => Effect.map(loadApplication(application), (one) => proposalOf(one).status)

const calls = Effect.flatMap(ScriptedLender, (scripted) => scripted.calls)

/** A contract with a failed payment and a repeated payment to a bank account. */
const unpaid = Effect.gen(function*() {
  const { application, id } = yield* accepted
  yield* submitContract(id)
  const scripted = yield* ScriptedLender
  yield* scripted.moveContract(id, "DISBURSEMENT_FAILED")
  yield* pollContract(id)
  const failed = yield* loadApplication(application)
  const kyc = aCompleteKyc({ disbursement_method: "BANK_TRANSFER", bank: exampleBank }).for(application.customer)
    .build()
  const again = yield* saveApplication(
    failed,
    submitExampleKyc(failed, { kyc, at: msAfter(1_000, failed.updated_at) })
  )
  return { application: again, id }
})

describe("submitContract", () => {
  it("PROP-12 a delay that the lender states is kept, at most one day", () => {
    assert.strictEqual(contractRetryDelayMs("0197f3a2-0000-7000-8000-000000000001", 1, 3_600_000), 3_600_000)
    assert.strictEqual(contractRetryDelayMs("0197f3a2-0000-7000-8000-000000000001", 1, 1e12), 86_400_000)
  })

  it.effect("LENDER-01 PROP-12 retries an unavailable lender for hours, ever more slowly, and creates one contract", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const scripted = yield* ScriptedLender
      yield* scripted.setActions("undone")
      const work = yield* Effect.forkChild(runUntilAnswered(jobOf(id)))
      yield* TestClock.adjust("5 hours")
      const attempts = (yield* calls).length
      assert.isAtLeast(attempts, 65)
      assert.isAtMost(attempts, 110)
      assert.strictEqual(yield* statusOf(application), "SUBMITTING")
      yield* scripted.setActions("done")
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(work)
      assert.strictEqual(yield* statusOf(application), "AWAITING_SIGNATURE")
      assert.strictEqual((yield* scripted.contracts).length, 1)
      assert.strictEqual((yield* calls).length, attempts + 1)
    })))

  it.effect("PROP-10 JOB-04 a submission without a slot is not started, and a throttled one is no attempt", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const [first, second] = [yield* accepted, yield* accepted]
      const slowly = Effect.provideService(LenderSettings, { ...yield* LenderSettings, requests_per_second: 1 })
      yield* slowly(runJob(jobOf(first.id), jobStarted))
      const waiting = yield* slowly(runJob(jobOf(second.id), jobStarted))
      assert.deepInclude(waiting, { _tag: "RETRY", after_ms: 1_000 })
      assert.isNull(proposalOf(yield* loadApplication(second.application)).submitted_at)
      assert.strictEqual((yield* calls).length, 1)
      const lender = yield* Lender
      const refusing = Lender.of({
        ...lender,
        submit: () => Effect.fail(new LenderUnavailable({ reason: "THROTTLED", detail: "429" }))
      })
      const refused = yield* Effect.provideService(runJob(jobOf(second.id), jobStarted), Lender, refusing)
      assert.strictEqual(refused._tag === "RETRY" ? refused.progress.attempt : null, jobStarted.attempt)
      assert.isString(proposalOf(yield* loadApplication(second.application)).submitted_at)
    })))

  it.effect("FGTS-27 T65 a contract with the reference of another proposal is an alarm, not a second loan", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      const first = yield* accepted
      const second = yield* accepted
      const logged: Array<string> = []
      const oneReference = Lender.of({
        ...lender,
        submit: (submission) => Effect.map(lender.submit(submission), (made) => ({ ...made, reference: "one" }))
      })
      const submit = (id: ProposalId) =>
        submitContract(id).pipe(
          Effect.provideService(Lender, oneReference),
          Effect.provide(Logger.layer([Logger.make(({ logLevel, message }) => {
            logged.push(`${logLevel}: ${String(message)}`)
          })]))
        )
      yield* submit(first.id)
      assert.deepStrictEqual(logged, [])
      yield* submit(second.id)
      assert.lengthOf(logged, 1)
      assert.match(logged[0] ?? "", /^Error: the lender returned the reference of another proposal/)
      assert.strictEqual(yield* statusOf(first.application), "AWAITING_SIGNATURE")
      assert.deepInclude(proposalOf(yield* loadApplication(second.application)), {
        status: "SUBMITTING" as const,
        contract: null,
        conflicting_reference: "one"
      })
      assert.deepStrictEqual(yield* runJob({ kind: "contract", id: second.id }, jobAnswered), {
        _tag: "WAIT",
        after_ms: correctionTimeMs
      })
      assert.deepStrictEqual(yield* runJob({ kind: "contract", id: second.id }, jobStarted), {
        _tag: "WAIT",
        after_ms: correctionTimeMs
      })
      yield* submit(second.id)
      assert.strictEqual((yield* calls).length, 2, "the proposal is not submitted again")
      yield* submit(first.id)
      assert.lengthOf(logged, 1)
    })))

  it.effect("FGTS-49 a submission has the additional KYC fields that the lender requires, and no others", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const kyc = aCompleteKyc().for(application.customer).requiring("education", "profession").build()
      const requirements = { kyc_fields: ["education" as const], disbursement_methods: ["PIX" as const] }
      yield* saveApplication(application, { ...application, kyc, requirements })
      yield* submitContract(id)
      const [call] = yield* calls
      if (call?._tag !== "Submit") return assert.fail("no contract was submitted")
      assert.strictEqual(call.submission.kyc.education, kyc.education)
      assert.notProperty(call.submission.kyc, "profession")
    })))

  it.effect("T47 retries a lost answer with the same key, and one contract is created", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      const scripted = yield* ScriptedLender
      yield* scripted.setActions("lost", "lost", "done")
      const work = yield* Effect.forkChild(runUntilAnswered(jobOf(id)))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(work)
      yield* submitContract(id)
      const [first, ...others] = yield* calls
      assert.strictEqual(others.length, 2)
      for (const other of others) assert.deepStrictEqual(other, first)
      assert.strictEqual((yield* scripted.contracts).length, 1)
      const after = proposalOf(yield* loadApplication(application))
      assert.deepStrictEqual(after.status_history.map(({ status }) => status), ["SUBMITTING", "AWAITING_SIGNATURE"])
    })))

  it.effect("LENDER-05 a lender that never returns leaves the contract SUBMITTING, and the submission is repeated", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const lender = yield* Lender
      for (const answer of [Effect.never, Effect.uninterruptible(Effect.never)]) {
        const { application, id } = yield* accepted
        const begun = millisOf(yield* currentTimestamp)
        const requested: Array<number> = []
        const hanging = Lender.of({
          ...lender,
          submit: () =>
            Effect.andThen(Effect.map(currentTimestamp, (at) => requested.push(millisOf(at) - begun)), answer)
        })
        const work = yield* Effect.forkChild(Effect.provideService(runUntilAnswered(jobOf(id)), Lender, hanging))
        yield* TestClock.adjust("10 minutes")
        const second = lenderCallDeadlineMs + retryDelayMs(id, 1)
        const third = second + lenderCallDeadlineMs + retryDelayMs(id, 2)
        for (const [index, expected] of [0, second, third].entries()) {
          assert.approximately(requested[index] ?? NaN, expected, 2)
        }
        assert.isAtLeast(requested.length, 6)
        assert.strictEqual(yield* statusOf(application), "SUBMITTING")
        yield* Fiber.interrupt(work)
        yield* runUntilAnswered(jobOf(id))
        assert.strictEqual(yield* statusOf(application), "AWAITING_SIGNATURE")
      }
    })))

  it.effect("LENDER-01 a run makes one call and returns the next attempt and its delay, with any progress", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* accepted
      yield* (yield* ScriptedLender).setActions("undone")
      for (const attempt of [1, 2, 3, 11, 500]) {
        for (const pauses of [0, 1, attempt - 1, 500]) {
          const before = (yield* calls).length
          const progress: JobProgress = { attempt: attempt + 1, pauses: pauses + 1, is_poll_next: true }
          assert.deepStrictEqual(yield* Effect.provide(runJob(jobOf(id), { attempt, pauses }), Logger.layer([])), {
            _tag: "RETRY",
            after_ms: contractRetryDelayMs(id, attempt),
            progress
          })
          assert.deepStrictEqual((yield* calls).slice(before).map(({ _tag }) => _tag), ["Submit"])
        }
      }
    })))

  it.effect("after the lender's answer the job polls, and requests neither the contract nor the payment again", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* unpaid
      const answered = yield* runJob(jobOf(id), jobStarted)
      assert.deepStrictEqual(answered, { _tag: "WAIT", after_ms: 100 })
      const before = (yield* calls).map(({ _tag }) => _tag)
      assert.deepStrictEqual(before, ["Submit", "Contract", "Resubmit"])
      for (let run = 0; run < 5; run++) {
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* runJob(jobOf(id), jobAnswered))._tag, "WAIT")
      }
      yield* (yield* ScriptedLender).moveContract(id, "PAID")
      assert.deepStrictEqual(yield* runJob(jobOf(id), jobAnswered), { _tag: "WAIT", after_ms: 600_000 })
      const polls = Array.from({ length: 6 }, () => "Contract")
      assert.deepStrictEqual((yield* calls).map(({ _tag }) => _tag), [...before, ...polls])
      assert.strictEqual((yield* (yield* ScriptedLender).contracts)[0]?.payments.length, 2)
    })))

  it.effect("sends the accepted offer, the customer and the disbursement account", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      yield* submitContract(id)
      const [call] = yield* calls
      const { quotes: [{ offers: [offer] }] } = application
      assert.deepStrictEqual(call, {
        _tag: "Submit",
        submission: {
          proposal_id: id,
          application_id: application.application_id,
          accepted_at: proposalOf(application).created_at,
          acceptance: proposalOf(application).acceptance,
          origin: null,
          offer: offer!,
          customer: application.customer,
          kyc: application.kyc!,
          disbursement: proposalOf(application).disbursement
        }
      })
    })))

  it.effect("LENDER-25 a withheld call ages only the contract whose failed calls opened the circuit", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* accepted
      const lender = yield* Lender
      for (
        const [is_cause, progress] of [
          [true, { attempt: 31, pauses: 32, is_poll_next: true }],
          [false, { attempt: 30, pauses: 31 }]
        ] as const
      ) {
        const failure = new LenderUnavailable({ reason: "WITHHELD", detail: "", retry_after_ms: 1_000, is_cause })
        const outcome = yield* Effect.provideService(runJob(jobOf(id), { attempt: 30, pauses: 31 }), Lender, {
          ...lender,
          submit: () => Effect.fail(failure)
        })
        assert.isTrue(outcome._tag === "RETRY")
        if (outcome._tag !== "RETRY") continue
        assert.deepStrictEqual(outcome.progress, progress)
        if (!is_cause) assert.strictEqual(outcome.after_ms, 1_000)
      }
    })))

  it.effect("T47 a repeated payment is requested by its number, the same for every retry and whatever changed", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* unpaid
      const scripted = yield* ScriptedLender
      yield* scripted.setActions("lost", "done")
      const work = yield* Effect.forkChild(runUntilAnswered(jobOf(id)))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(work)
      const before = yield* loadApplication(application)
      yield* saveApplication(
        before,
        recordContractStatus(before, "DISBURSING", {
          required_action: { code: "LIVENESS", url: null, fields: [] },
          at: yield* currentTimestamp
        })
      )
      yield* TestClock.adjust("1 hour")
      yield* submitContract(id)
      const requests = (yield* calls).flatMap((call) => call._tag === "Resubmit" ? [call.resubmission] : [])
      assert.strictEqual(requests.length, 3)
      for (const one of requests) {
        assert.deepStrictEqual(one, {
          proposal_id: id,
          reference: referenceOf(proposalOf(application)) ?? "",
          disbursement: { method: "BANK_TRANSFER", pix: null, bank: exampleBank },
          disbursement_attempt: 2,
          requested_at: application.updated_at
        })
      }
      const [contract] = yield* scripted.contracts
      assert.strictEqual(contract?.payments.length, 2)
    })))

  it.effect("LENDER-01 LENDER-03 an unanswered payment is requested until the contract has advanced, which the job polls in between", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      for (const status of ["PAID", "CANCELLED"] as const) {
        const { application, id } = yield* unpaid
        const begun = (yield* calls).length
        yield* scripted.setActions("undone")
        const work = yield* Effect.forkChild(runUntilAnswered(jobOf(id)))
        yield* TestClock.adjust("1 hour")
        const made = (yield* calls).slice(begun).map(({ _tag }) => _tag)
        for (const [index, call] of made.entries()) {
          assert.strictEqual(call, index % 2 === 0 ? "Resubmit" : "Contract")
        }
        assert.isAtLeast(made.length, 120, "the payment is requested at least once a minute")
        assert.isAtMost(made.length, 260)
        yield* scripted.moveContract(id, status)
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* Fiber.join(work))._tag, status === "PAID" ? "WAIT" : "DONE")
        assert.strictEqual(yield* statusOf(application), status)
        yield* scripted.setActions("done")
      }
    })))

  it.effect("LENDER-03 the new payment fails while its request is unanswered: the job polls the contract again", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const scripted = yield* ScriptedLender
      const { application, id } = yield* unpaid
      yield* scripted.setActions("lost", "undone")
      const work = yield* Effect.forkChild(runUntilAnswered(jobOf(id)))
      yield* TestClock.adjust("1 minute")
      yield* scripted.moveContract(id, "DISBURSEMENT_FAILED")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* Fiber.join(work), { _tag: "WAIT", after_ms: 100 })
      assert.strictEqual(yield* statusOf(application), "DISBURSEMENT_FAILED")
    })))

  it.effect("PROP-12 a payment that is answered with the state of an earlier payment is requested again", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* unpaid
      const lender = yield* Lender
      for (const status of ["DISBURSING", "DISBURSEMENT_FAILED"] as const) {
        const stale: Lender["Service"] = {
          ...lender,
          resubmit: ({ reference }) =>
            Effect.map(lender.contract(reference), (contract) => ({ ...contract, status, disbursement_attempt: 1 }))
        }
        const outcome = yield* Effect.provideService(runJob(jobOf(id), jobStarted), Lender, stale)
        assert.deepInclude(outcome, { _tag: "RETRY", progress: { attempt: 2, pauses: 1, is_poll_next: true } })
        assert.strictEqual(yield* statusOf(application), "DISBURSING")
      }
      assert.strictEqual((yield* runUntilAnswered(jobOf(id)))._tag, "WAIT")
      assert.strictEqual((yield* (yield* ScriptedLender).contracts)[0]?.payments.length, 2)
    })))

  it.effect("makes no request if there is nothing to submit", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* accepted
      yield* submitContract(id)
      yield* (yield* ScriptedLender).moveContract(id, "DISBURSING")
      yield* pollContract(id)
      const before = (yield* calls).length
      yield* submitContract(id)
      yield* submitContract("01890000-0000-7000-8000-000000000000" as ProposalId)
      assert.strictEqual((yield* calls).length, before)
    })))
})

describe("retry interval", () => {
  it.effect("LENDER-01 never retries earlier than the job's delay", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* accepted
      yield* (yield* ScriptedLender).setActions("undone")
      const begun = millisOf(yield* currentTimestamp)
      const work = yield* Effect.forkChild(runUntilAnswered(jobOf(id)))
      const counts: Array<number> = []
      for (const seconds of [0, 1, 60, 600]) {
        yield* TestClock.setTime(begun + 1_000 * seconds)
        counts.push((yield* calls).length)
      }
      yield* Fiber.interrupt(work)
      const [atOnce = 0, soon = 0, later = 0, late = 0] = counts
      assert.strictEqual(atOnce, 1)
      assert.isAtMost(soon, 4)
      assert.isAtMost(later, 10)
      assert.isAtMost(late, 30)
    })))

  it.effect("LENDER-01 ten unanswered attempts log an error without personal data", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* accepted
      yield* (yield* ScriptedLender).setActions("undone")
      const levels: Array<string> = []
      const lines: Array<string> = []
      const logs = Logger.layer([
        Logger.make(({ logLevel }) => levels.push(logLevel)),
        Logger.map(Logger.formatJson, (line) => lines.push(line))
      ])
      const work = yield* Effect.forkChild(Effect.provide(runUntilAnswered(jobOf(id)), logs))
      yield* TestClock.adjust("1 hour")
      yield* Fiber.interrupt(work)
      assert.deepStrictEqual(levels.slice(0, 9), Array.from({ length: 9 }, () => "Warn"))
      assert.deepStrictEqual(new Set(levels.slice(9)), new Set(["Error"]))
      assert.notInclude(lines.join(), application.customer.cpf)
    })))
})
