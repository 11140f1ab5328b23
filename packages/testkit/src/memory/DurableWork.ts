import { type AuditLog } from "@lastro/domain/audit"
import { type IdGenerator } from "@lastro/domain/id"
import { type Lender } from "@lastro/domain/lender"
import {
  type ApplicationRepository,
  DurableWork,
  pollDueContracts,
  runQuote,
  type StatusWatch,
  submitContract
} from "@lastro/domain/origination"
import { millisOf } from "@lastro/domain/time"
import { type UnitOfWork } from "@lastro/domain/transaction"
import { Clock, Context, Duration, Effect, Latch, Layer, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { withEntry } from "./MemoryState.ts"
import { PendingWork, type Work, workName } from "./PendingWork.ts"

/** The ports that durable jobs use. */
type JobPorts = ApplicationRepository | AuditLog | IdGenerator | Lender | StatusWatch | UnitOfWork

const useCaseOf = (work: Work) => work._tag === "Quote" ? runQuote(work.quote_id) : submitContract(work.proposal_id)

/** Stores jobs in the current transaction. Starting a job that is already stored has no effect. */
const makeJobs = Effect.gen(function*() {
  const { change, state } = yield* MemoryDatabase
  const ports = yield* Effect.context<JobPorts>()

  const start = (work: Work) =>
    change((now) =>
      Result.succeed(
        now.work.has(workName(work))
          ? now
          : { ...now, work: withEntry(now.work, workName(work), { work, ended: false }) }
      )
    )
  const end = (work: Work) =>
    change((now) => Result.succeed({ ...now, work: withEntry(now.work, workName(work), { work, ended: true }) }))

  return {
    durable: DurableWork.of({
      startQuote: (quote_id) => start({ _tag: "Quote", quote_id }),
      startContract: (proposal_id, attempt) => start({ _tag: "Contract", proposal_id, attempt })
    }),
    /** Runs a job to its end. Retries are not needed, because the in-memory database is never busy. */
    run: (work: Work): Effect.Effect<void> =>
      Effect.andThen(Effect.provideContext(Effect.orDie(useCaseOf(work)), ports), end(work)),
    pending: Effect.map(
      state,
      ({ work }) => Array.from(work.values()).filter(({ ended }) => !ended).map(({ work }) => work)
    ),
    ports
  }
})

/** Durable jobs that run only when a test runs them with {@link PendingWork}. */
export const layerByHand = Layer.effectContext(Effect.map(makeJobs, ({ durable, pending, run }) => {
  const finish: Effect.Effect<void> = Effect.flatMap(
    pending,
    ([first]) => first === undefined ? Effect.void : Effect.andThen(run(first), Effect.suspend(() => finish))
  )
  return Context.make(DurableWork, durable).pipe(Context.add(PendingWork, PendingWork.of({ pending, finish })))
}))

/** Durable jobs that start when their transaction commits, each in its own fiber. */
export const layer = Layer.effectContext(Effect.gen(function*() {
  const { opensOnCommit } = yield* MemoryDatabase
  const { durable, pending, run } = yield* makeJobs
  const scope = yield* Effect.scope
  const started = new Set<string>()

  const start = Effect.fnUntraced(function*(work: Work) {
    started.add(workName(work))
    const job = Effect.tapCause(run(work), (cause) => Effect.logError("In-memory job failed", cause))
    yield* Effect.forkIn(job, scope)
  })
  const startAll = Effect.flatMap(
    pending,
    (works) => Effect.forEach(works.filter((work) => !started.has(workName(work))), start, { discard: true })
  )
  const committed = Latch.makeUnsafe(true)
  yield* opensOnCommit(committed)
  yield* Effect.forkScoped(
    Effect.forever(committed.await.pipe(Effect.andThen(committed.close), Effect.andThen(startAll)))
  )

  const finish = Effect.scoped(Effect.gen(function*() {
    const changed = Latch.makeUnsafe()
    yield* opensOnCommit(changed)
    while ((yield* pending).length > 0) {
      yield* changed.await
      yield* changed.close
    }
  }))
  return Context.make(DurableWork, durable).pipe(Context.add(PendingWork, PendingWork.of({ pending, finish })))
}))

/** Polls the lender for contracts when they are due, and sleeps in between. */
export const layerContractPolling: Layer.Layer<never, never, MemoryDatabase | JobPorts> = Layer.effectDiscard(
  Effect.gen(function*() {
    const { opensOnCommit, state } = yield* MemoryDatabase
    const committed = Latch.makeUnsafe()
    yield* opensOnCommit(committed)

    const waitUntilDue = Effect.gen(function*() {
      const due = Array.from((yield* state).next_polls.values(), millisOf)
      const pause = Math.min(...due) - (yield* Clock.currentTimeMillis)
      yield* Effect.raceFirst(committed.await, Effect.sleep(Duration.millis(Math.max(pause, 0))))
    })
    const poll = committed.close.pipe(
      Effect.andThen(pollDueContracts()),
      Effect.orDie,
      Effect.tapCause((cause) => Effect.logError("In-memory contract polling failed", cause)),
      Effect.andThen(waitUntilDue)
    )
    yield* Effect.forkScoped(Effect.forever(poll))
  })
)
