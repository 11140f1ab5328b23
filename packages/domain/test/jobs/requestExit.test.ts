import { assert, describe, it } from "@effect/vitest"
import { saveApplication, ScriptedLender, storeContractedApplication, storeRootPartner } from "@lastro/testkit"
import { Effect, Fiber, Latch } from "effect"
import { TestClock } from "effect/testing"
import { type JobOutcome, jobStarted } from "../../src/jobs/Job.ts"
import { submitContract } from "../../src/jobs/runContract.ts"
import { runJob } from "../../src/jobs/runJob.ts"
import { Lender } from "../../src/lender/Lender.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { defaultLenderSettings, LenderSettings, type LenderSettingsValues } from "../../src/lender/LenderSettings.ts"
import { type Application } from "../../src/loan/Application.ts"
import { type LenderExits, noExits } from "../../src/loan/LenderContract.ts"
import { exitsOfLender } from "../../src/origination/exitsOfLender.ts"
import { type ProposalId } from "../../src/values/ids.ts"
import { currentTimestamp } from "../../src/values/Timestamp.ts"
import { loadApplication, runWithoutWorkers } from "../fixtures.ts"
import { allExits, applyCommands, cancel } from "../loan/examples.ts"

const limited = (limits: Partial<LenderSettingsValues>) =>
  Effect.provideService(LenderSettings, { ...defaultLenderSettings, ...limits })

/** A lender whose exits are not known before a call finds them; if it is forgetful, not afterwards either. Counts its calls. */
const unknownExits = Effect.fnUntraced(function*(offered: LenderExits, { isForgetful = false } = {}) {
  const lender = yield* Lender
  const counted = { calls: [] as Array<string>, prepared: [] as Array<string>, inProgress: 0, most: 0 }
  let known: LenderExits | null = null
  const count = <A, E>(name: string, call: Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      counted.calls.push(name)
      counted.most = Math.max(counted.most, ++counted.inProgress)
      return Effect.ensuring(Effect.delay(call, "50 millis"), Effect.sync(() => void counted.inProgress--))
    })
  const counting = Lender.of({
    ...lender,
    knownExits: Effect.sync(() => isForgetful ? null : known),
    exits: count("exits", Effect.sync(() => known = offered)),
    cancel: (cancellation) => {
      counted.prepared.push("cancel")
      return count("cancel", lender.cancel(cancellation))
    }
  })
  return { counted, lender: Effect.provideService(Lender, counting) }
})

/** A contract whose cancellation was requested. Its submission has no answer. */
const cancelling = Effect.gen(function*() {
  const scripted = yield* ScriptedLender
  yield* scripted.setActions("lost", "done")
  const accepted = yield* storeContractedApplication(yield* storeRootPartner(), { at: yield* currentTimestamp })
  const id = accepted.proposal?.proposal_id as ProposalId
  yield* submitContract(id)
  const started = yield* loadApplication(accepted)
  const application = yield* saveApplication(started, applyCommands(started, cancel(yield* currentTimestamp, null)))
  return { application, id }
})

const historyOf = (application: Application) =>
  Effect.map(loadApplication(application), ({ proposal }) => proposal?.status_history.map(({ status }) => status))

/** Advances the test clock until an effect has ended. */
const advancing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    yield* TestClock.adjust("10 seconds")
    return yield* Fiber.join(fiber)
  })

const retryOf = (outcome: JobOutcome) => outcome._tag === "RETRY" ? outcome : assert.fail(outcome._tag)

const again: JobOutcome = { _tag: "RETRY", after_ms: 0, progress: jobStarted }

describe("the exits of a lender that are not known yet", () => {
  it.effect("LENDER-21 a job calls `exits` in a run of its own, and requests the exit in the next", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* cancelling
      const { counted, lender } = yield* unknownExits(allExits)
      const run = lender(runJob({ kind: "contract", id }, jobStarted))
      assert.deepStrictEqual(yield* advancing(run), again)
      assert.deepStrictEqual(counted.calls, ["exits"])
      yield* advancing(run)
      assert.deepStrictEqual(counted.calls, ["exits", "cancel"])
      assert.deepStrictEqual((yield* historyOf(application))?.slice(-2), ["CANCELLING", "CANCELLED"])
    })))

  it.effect("LENDER-21 FGTS-36 an exit that the lender turns out not to offer is refused without requesting it", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* cancelling
      const { counted, lender } = yield* unknownExits(noExits)
      assert.deepStrictEqual(yield* advancing(lender(runJob({ kind: "contract", id }, jobStarted))), again)
      assert.deepStrictEqual(counted.calls, ["exits"])
      assert.deepStrictEqual((yield* historyOf(application))?.slice(-2), ["CANCELLING", "SUBMITTING"])
    })))

  it.effect("LENDER-21 a lender that forgets its exits is not called without a pause", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* cancelling
      const { counted, lender } = yield* unknownExits(allExits, { isForgetful: true })
      const first = yield* advancing(lender(runJob({ kind: "contract", id }, jobStarted)))
      const { after_ms, progress } = retryOf(first)
      assert.isAbove(after_ms, 0)
      assert.deepStrictEqual(progress, { attempt: 2, pauses: 1, is_poll_next: true })
      const later = yield* advancing(lender(runJob({ kind: "contract", id }, { attempt: 12, pauses: 12 })))
      assert.isAbove(retryOf(later).after_ms, after_ms)
      assert.deepStrictEqual(counted.calls, ["exits", "exits"])
    })))

  it.effect("LENDER-21 an exit that is known not to be offered is not requested", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { application, id } = yield* cancelling
      const { counted, lender } = yield* unknownExits(noExits)
      yield* lender(Effect.flatMap(Lender, ({ exits }) => advancing(exits)))
      assert.deepStrictEqual(yield* advancing(lender(runJob({ kind: "contract", id }, jobStarted))), again)
      assert.deepStrictEqual(counted.calls, ["exits"])
      assert.deepStrictEqual((yield* historyOf(application))?.slice(-2), ["CANCELLING", "SUBMITTING"])
    })))

  it.effect("LENDER-21 a function of the adapter is called only if its request follows", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { id } = yield* cancelling
      const { counted, lender } = yield* unknownExits(allExits)
      yield* advancing(lender(runJob({ kind: "contract", id }, jobStarted)))
      assert.deepStrictEqual(counted.prepared, [])
      yield* advancing(lender(runJob({ kind: "contract", id }, jobStarted)))
      assert.deepStrictEqual(counted.prepared, ["cancel"])
    })))

  it.effect("LENDER-11 LENDER-20 requests and jobs together never exceed the calls that the lender allows", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const contracts = yield* Effect.forEach(Array.from({ length: 4 }), () => cancelling)
      const { counted, lender } = yield* unknownExits(allExits)
      const runs = contracts.map(({ id }) => Effect.asVoid(runJob({ kind: "contract", id }, jobStarted)))
      const looks = Array.from({ length: 4 }, () => Effect.asVoid(exitsOfLender))
      const all = Effect.all([...looks, ...runs], { concurrency: "unbounded" }).pipe(
        lender,
        limited({ max_in_flight: 1 })
      )
      yield* advancing(all)
      assert.strictEqual(counted.most, 1)
      assert.deepStrictEqual(counted.calls, ["exits"])
    })))

  it.effect("LENDER-20 a request without a slot, and a lender that does not answer, make no difference: they are not known", () =>
    runWithoutWorkers(Effect.gen(function*() {
      const { counted, lender } = yield* unknownExits(allExits)
      const look = exitsOfLender.pipe(lender, limited({ requests_per_second: 0.1 }))
      assert.deepStrictEqual(yield* advancing(Effect.all([look, look], { concurrency: 2 })), [allExits, null])
      assert.deepStrictEqual(counted.calls, ["exits"])
      assert.deepStrictEqual(yield* look, allExits)

      const silent = Lender.of({
        ...(yield* Lender),
        knownExits: Effect.succeed(null),
        exits: Effect.fail(new LenderUnavailable({ reason: "ASKED", detail: "down" }))
      })
      assert.isNull(yield* Effect.provideService(exitsOfLender, Lender, silent))
      const latch = Latch.makeUnsafe()
      const never = Lender.of({ ...silent, exits: Effect.as(latch.await, allExits) })
      assert.isNull(yield* advancing(Effect.provideService(exitsOfLender, Lender, never)))
    })))
})
