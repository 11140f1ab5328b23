import { assert, describe, it } from "@effect/vitest"
import { ApplicationRepository, UnitOfWork } from "@lastro/domain"
import { exampleInstant, givenRoot, layerMemoryByHand } from "@lastro/testkit"
import {
  brokenRace,
  type OriginationStorage,
  type OriginationStory,
  originationStory,
  race,
  usualAnswers,
  usualSteps
} from "@lastro/testkit/stories"
import { Context, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { rounds } from "../../../../test/rounds.ts"

/** Waits for its turn: fast-check decides who is next. */
type Turn = (label: string) => Effect.Effect<void>

const begins = Date.parse(exampleInstant)

/** What is read and written of applications, and when a unit begins, in the order of turns. */
const scheduled = (turn: Turn, storage: Context.Context<OriginationStorage>) => {
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
      UnitOfWork.of({ atomically: (effect) => Effect.andThen(turn("begin"), unit.atomically(effect)) })
    )
  )
}

/** Tells a story up to `steps` in peace, and then lets `act` go on in an order that fast-check chooses. */
const interleaved = <A>(
  scheduler: fc.Scheduler,
  steps: number,
  act: (story: OriginationStory) => Effect.Effect<A>,
  check: (story: OriginationStory, acted: A) => Effect.Effect<ReadonlyArray<string>>,
  damaged: (storage: Context.Context<OriginationStorage>) => Context.Context<OriginationStorage> = (storage) => storage
): Promise<ReadonlyArray<string>> => {
  let peace = true
  const turn: Turn = (label) =>
    Effect.suspend(() => peace ? Effect.void : Effect.promise(() => scheduler.schedule(Promise.resolve(), label)))
  const told = Effect.gen(function*() {
    const memory = yield* Layer.build(Layer.fresh(layerMemoryByHand))
    const storage = damaged(scheduled(turn, memory))
    const story = yield* Effect.andThen(givenRoot(), (root) => originationStory(root, begins)).pipe(
      Effect.provideContext(Context.merge(memory, storage))
    )
    for (const step of usualSteps.slice(0, steps)) yield* story.step(step)
    peace = false
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const acted = yield* Effect.promise(() => scheduler.waitFor(run(act(story))))
    peace = true
    return yield* check(story, acted)
  })
  return Effect.runPromise(Effect.scoped(told))
}

const racing = (scheduler: fc.Scheduler) => interleaved(scheduler, 3, race, brokenRace)

/** Two works on one quote get different answers, while the offers of the first are accepted and another quote is asked for. */
const lateAnswers = (scheduler: fc.Scheduler) =>
  interleaved(
    scheduler,
    0,
    (story) =>
      Effect.gen(function*() {
        const [work] = story.world.work.all()
        if (work?._tag !== "Quote") throw new Error("no quote was promised")
        yield* Effect.all([story.questions.ask(work), story.questions.ask(work)], { concurrency: 1 })
        const [one, other] = story.questions.open()
        if (one === undefined || other === undefined) throw new Error("the lender was not asked twice")
        yield* Effect.all([
          story.questions.answer(one, usualAnswers),
          story.questions.answer(other, { kind: "REFUSED", code: "NO_BALANCE", retry_ms: null }),
          story.step({ does: "kyc", kyc: { tells: "all", bank: false, is_pep: false } }),
          story.step({ does: "requote", max_installments: null })
        ], { concurrency: "unbounded" })
      }),
    (story) =>
      Effect.map(story.present, ({ quotes, version }) => {
        const [first, second, third] = quotes
        const facts = 1 + quotes.filter(({ outcome }) => outcome !== "PENDING").length + (quotes.length - 1) + 1
        const offers = first.outcome === "COMPLETED" ? 2 : 0
        return [
          ...(first.outcome === "PENDING" ? ["the first quote was not answered"] : []),
          ...(first.offers.length === offers ? [] : ["an answer that was dropped left something"]),
          ...(second === undefined || second.outcome === "PENDING" ? [] : ["a late answer met another quote"]),
          ...(third === undefined ? [] : ["a quote too many"]),
          ...(version === facts ? [] : [`${version} facts instead of ${facts}`])
        ]
      })
  )

/** A contract submitted twice, looked at and moved on meanwhile. */
const contracting = (scheduler: fc.Scheduler) =>
  interleaved(
    scheduler,
    5,
    (story) =>
      Effect.asVoid(Effect.all([
        story.step({ does: "work", work: 1, deed: "done" }),
        story.step({ does: "contract", status: "DISBURSING", attempt: null, unasked: false }),
        story.step({ does: "work", work: 1, deed: "done" }),
        story.step({ does: "contract", status: "PAID", attempt: null, unasked: false })
      ], { concurrency: "unbounded" })),
    (story) =>
      Effect.gen(function*() {
        const { proposal } = yield* story.present
        const statuses = proposal?.status_history.map(({ status }) => status) ?? []
        const way = ["SUBMITTING", "AWAITING_SIGNATURE", "GUARANTEE_PENDING", "DISBURSING", "PAID"]
        const contracts = yield* story.world.lender.contracts
        return [
          ...(contracts.length === 1 ? [] : [`${contracts.length} contracts at the lender`]),
          ...(statuses.join() === way.slice(0, statuses.length).join() ? [] : [`it went ${statuses.join()}`])
        ]
      })
  )

const inEveryOrder = (run: (scheduler: fc.Scheduler) => Promise<ReadonlyArray<string>>) =>
  fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    assert.deepStrictEqual(await run(scheduler), [])
  })

const numRuns = 2 * rounds

describe("origination, its turns taken in every order", () => {
  it("T41 T42 T44 of acceptances, another quote and a cleared KYC one side wins: one contract, or none", () =>
    fc.assert(inEveryOrder(racing), { numRuns }))

  it("T40 T46 of two answers to one quote the first is kept, whatever else happens meanwhile", () =>
    fc.assert(inEveryOrder(lateAnswers), { numRuns }))

  it("T42 T46 T47 a contract that is submitted twice and moves meanwhile goes its way once", () =>
    fc.assert(inEveryOrder(contracting), { numRuns }))

  it("meets the orders that matter: without transactions two offers are accepted", async () => {
    const unsafe = (storage: Context.Context<OriginationStorage>) =>
      Context.add(storage, UnitOfWork, UnitOfWork.of({ atomically: (effect) => effect }))
    const accepting = inEveryOrder((scheduler) => interleaved(scheduler, 3, race, brokenRace, unsafe))
    assert.isTrue((await fc.check(accepting, { numRuns })).failed)
  })

  it("meets the orders that matter: the lender is told of one contract twice", async () => {
    const submitting = inEveryOrder((scheduler) =>
      interleaved(
        scheduler,
        4,
        ({ step }) =>
          Effect.all([
            step({ does: "work", work: 1, deed: "done" }),
            step({ does: "work", work: 1, deed: "done" })
          ], { concurrency: "unbounded" }),
        (story) =>
          Effect.map(story.world.lender.calls, (calls) =>
            calls.filter(({ _tag }) => _tag === "Submit").length > 1 ? ["told twice"] : [])
      )
    )
    assert.isTrue((await fc.check(submitting, { numRuns })).failed)
  })
})
