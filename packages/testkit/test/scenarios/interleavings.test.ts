import { assert, describe, it } from "@effect/vitest"
import { ApplicationRepository } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { exampleInstant, layerMemoryByHand, storeRootPartner } from "@lastro/testkit"
import {
  findRaceViolations,
  type LoanScenario,
  type OriginationStorage,
  race,
  startLoanScenario,
  typicalAnswer,
  typicalSteps
} from "@lastro/testkit/scenarios"
import { Context, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { rounds } from "../../../../test/rounds.ts"

/** Waits until the fast-check scheduler resumes the caller. */
type Turn = (label: string) => Effect.Effect<void>

const start = Date.parse(exampleInstant)

/** Lets the fast-check scheduler order the reads and writes of applications, and the starts of units of work. */
const scheduleStorage = (turn: Turn, storage: Context.Context<OriginationStorage>) => {
  const applications = Context.get(storage, ApplicationRepository)
  const unit = Context.get(storage, UnitOfWork)
  return Context.mergeAll(
    storage,
    Context.make(
      ApplicationRepository,
      ApplicationRepository.of({
        ...applications,
        find: (scope, id) => Effect.andThen(turn("find"), applications.find(scope, id)),
        findForUpdate: (scope, id) => Effect.andThen(turn("lock"), applications.findForUpdate(scope, id)),
        save: (before, after) => Effect.andThen(turn("save"), applications.save(before, after))
      })
    ),
    Context.make(
      UnitOfWork,
      UnitOfWork.of({ ...unit, atomically: (effect) => Effect.andThen(turn("begin"), unit.atomically(effect)) })
    )
  )
}

/** Runs the first typical steps sequentially, then `act` in an order that fast-check chooses. */
const interleave = <A>(
  scheduler: fc.Scheduler,
  steps: number,
  act: (scenario: LoanScenario) => Effect.Effect<A>,
  check: (scenario: LoanScenario, result: A) => Effect.Effect<ReadonlyArray<string>>,
  modifyStorage: (storage: Context.Context<OriginationStorage>) => Context.Context<OriginationStorage> = (storage) =>
    storage
): Promise<ReadonlyArray<string>> => {
  let isSequential = true
  const turn: Turn = (label) =>
    Effect.suspend(() =>
      isSequential ? Effect.void : Effect.promise(() => scheduler.schedule(Promise.resolve(), label))
    )
  const run = Effect.gen(function*() {
    const memory = yield* Layer.build(Layer.fresh(layerMemoryByHand))
    const storage = modifyStorage(scheduleStorage(turn, memory))
    const scenario = yield* Effect.andThen(storeRootPartner(), (root) => startLoanScenario(root, start)).pipe(
      Effect.provideContext(Context.merge(memory, storage))
    )
    for (const step of typicalSteps.slice(0, steps)) yield* scenario.step(step)
    isSequential = false
    const runPromise = Effect.runPromiseWith(yield* Effect.context<never>())
    const result = yield* Effect.promise(() => scheduler.waitFor(runPromise(act(scenario))))
    isSequential = true
    return yield* check(scenario, result)
  })
  return Effect.runPromise(Effect.scoped(run))
}

const runRace = (scheduler: fc.Scheduler) => interleave(scheduler, 3, race, findRaceViolations)

/** Two jobs of one quote get different answers, while a KYC is submitted and another quote is requested. */
const runLateAnswers = (scheduler: fc.Scheduler) =>
  interleave(
    scheduler,
    0,
    ({ fixture, quotes, step }) =>
      Effect.gen(function*() {
        const [job] = fixture.jobs.all()
        if (job?.kind !== "quote") throw new Error("No quote job is pending.")
        yield* Effect.all([quotes.request(job), quotes.request(job)], { concurrency: 1 })
        const [one, other] = quotes.all()
        if (one === undefined || other === undefined) {
          throw new Error("The lender received fewer than two quote requests.")
        }
        yield* Effect.all([
          quotes.answer(one, typicalAnswer),
          quotes.answer(other, { kind: "REFUSED", code: "NO_BALANCE", retry_ms: null }),
          step({ _tag: "SubmitKyc", kyc: { fields: "all", bank: false, is_pep: false } }),
          step({ _tag: "Requote", max_installments: null })
        ], { concurrency: "unbounded" })
      }),
    ({ application }) =>
      Effect.map(application, ({ quotes, version }) => {
        const [first, second, third] = quotes
        const changes = 1 + quotes.filter(({ outcome }) => outcome !== "PENDING").length + (quotes.length - 1) + 1
        const offers = first.outcome === "COMPLETED" ? 2 : 0
        return [
          ...(first.outcome === "PENDING" ? ["the first quote has no result"] : []),
          ...(first.offers.length === offers ? [] : ["the first quote has offers of a dropped result"]),
          ...(second === undefined || second.outcome === "PENDING"
            ? []
            : ["the late result of one quote was recorded for another"]),
          ...(third === undefined ? [] : ["a third quote was added"]),
          ...(version === changes ? [] : [`${version} changes instead of ${changes}`])
        ]
      })
  )

/** A contract is submitted twice, while the lender changes its status and jobs poll that status. */
const runContracting = (scheduler: fc.Scheduler) =>
  interleave(
    scheduler,
    5,
    ({ step }) =>
      Effect.asVoid(Effect.all([
        step({ _tag: "RunJob", job: 1, lender: "done" }),
        step({ _tag: "MoveContract", status: "DISBURSING", attempt: null, is_pushed: false }),
        step({ _tag: "RunJob", job: 1, lender: "done" }),
        step({ _tag: "MoveContract", status: "PAID", attempt: null, is_pushed: false })
      ], { concurrency: "unbounded" })),
    ({ application, fixture }) =>
      Effect.gen(function*() {
        const { proposal } = yield* application
        const statuses = proposal?.status_history.map(({ status }) => status) ?? []
        const path = ["SUBMITTING", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"]
        const contracts = yield* fixture.lender.contracts
        return [
          ...(contracts.length === 1 ? [] : [`${contracts.length} contracts at the lender`]),
          ...(statuses.join() === path.slice(0, statuses.length).join() ? [] : [`the statuses were ${statuses.join()}`])
        ]
      })
  )

const inAnyOrder = (run: (scheduler: fc.Scheduler) => Promise<ReadonlyArray<string>>) =>
  fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    assert.deepStrictEqual(await run(scheduler), [])
  })

const numRuns = 2 * Math.max(12, rounds)

describe("loan origination in any interleaving", () => {
  it("T41 T42 T44 of acceptances, a re-quote and a cleared KYC field one side wins: one contract, or none", () =>
    fc.assert(inAnyOrder(runRace), { numRuns }))

  it("T40 T46 of two results for one quote the first is kept, under any concurrent commands", () =>
    fc.assert(inAnyOrder(runLateAnswers), { numRuns }))

  it("T42 T46 T47 a contract submitted twice and moved meanwhile records every status once", () =>
    fc.assert(inAnyOrder(runContracting), { numRuns }))

  it("finds the fault that transactions prevent: two accepted offers", async () => {
    const unsafe = (storage: Context.Context<OriginationStorage>) =>
      Context.add(storage, UnitOfWork, UnitOfWork.of({ atomically: (effect) => effect, isOpen: Effect.succeed(false) }))
    const accepting = inAnyOrder((scheduler) => interleave(scheduler, 3, race, findRaceViolations, unsafe))
    assert.isTrue((await fc.check(accepting, { numRuns })).failed)
  })

  it("reaches an interleaving in which the lender receives one submission twice", async () => {
    const submitting = inAnyOrder((scheduler) =>
      interleave(
        scheduler,
        4,
        ({ step }) =>
          Effect.all([
            step({ _tag: "RunJob", job: 1, lender: "done" }),
            step({ _tag: "RunJob", job: 1, lender: "done" })
          ], { concurrency: "unbounded" }),
        ({ fixture }) =>
          Effect.map(fixture.lender.calls, (calls) =>
            calls.filter(({ _tag }) => _tag === "Submit").length > 1
              ? ["the contract was submitted twice"]
              : [])
      )
    )
    assert.isTrue((await fc.check(submitting, { numRuns })).failed)
  })
})
