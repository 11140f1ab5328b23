import {
  type ApplicationRepository,
  type AuditLog,
  DurableWork,
  type IdGenerator,
  type Lender,
  runQuote,
  type StatusWatch,
  submitContract,
  type UnitOfWork
} from "@lastro/domain"
import { Context, Effect, Latch, Layer, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { withEntry } from "./MemoryState.ts"
import { PendingWork } from "./PendingWork.ts"
import { type Work, workName } from "./Work.ts"

/** What durable work needs. */
export type WorkPorts = ApplicationRepository | AuditLog | IdGenerator | Lender | StatusWatch | UnitOfWork

const doing = (work: Work) => work._tag === "Quote" ? runQuote(work.quote_id) : submitContract(work.proposal_id)

/** The work in memory: what is started belongs to the transaction around it, and is the same work once and for all. */
const workIn = Effect.gen(function*() {
  const { change, state } = yield* MemoryDatabase
  const ports = yield* Effect.context<WorkPorts>()

  const start = (work: Work) =>
    change((now) =>
      Result.succeed(
        now.work.has(workName(work))
          ? now
          : { ...now, work: withEntry(now.work, workName(work), { work, ended: false }) }
      )
    )
  const ended = (work: Work) =>
    change((now) => Result.succeed({ ...now, work: withEntry(now.work, workName(work), { work, ended: true }) }))

  return {
    durable: DurableWork.of({
      startQuote: (quote_id) => start({ _tag: "Quote", quote_id }),
      startContract: (proposal_id, attempt) => start({ _tag: "Contract", proposal_id, attempt })
    }),
    /** Does a work to its end. The database in memory is never too busy for it. */
    run: (work: Work): Effect.Effect<void> =>
      Effect.andThen(Effect.provideContext(Effect.orDie(doing(work)), ports), ended(work)),
    pending: Effect.map(
      state,
      ({ work }) => Array.from(work.values()).filter(({ ended }) => !ended).map(({ work }) => work)
    ),
    ports
  }
})

/** Durable work that nobody does until {@link PendingWork} is told to. */
export const layerByHand = Layer.effectContext(Effect.map(workIn, ({ durable, pending, run }) => {
  const finish: Effect.Effect<void> = Effect.flatMap(
    pending,
    ([first]) => first === undefined ? Effect.void : Effect.andThen(run(first), Effect.suspend(() => finish))
  )
  return Context.make(DurableWork, durable).pipe(Context.add(PendingWork, PendingWork.of({ pending, finish })))
}))

/** Durable work that is done once its transaction has committed, each in a fiber of its own. */
export const layer = Layer.effectContext(Effect.gen(function*() {
  const { opensOnCommit } = yield* MemoryDatabase
  const { durable, pending, run } = yield* workIn
  const scope = yield* Effect.scope
  const taken = new Set<string>()

  const begin = Effect.fnUntraced(function*(work: Work) {
    taken.add(workName(work))
    const told = Effect.tapCause(run(work), (cause) => Effect.logError("work in memory came to nothing", cause))
    yield* Effect.forkIn(told, scope)
  })
  const beginAll = Effect.flatMap(
    pending,
    (works) => Effect.forEach(works.filter((work) => !taken.has(workName(work))), begin, { discard: true })
  )
  const committed = Latch.makeUnsafe(true)
  yield* opensOnCommit(committed)
  yield* Effect.forkScoped(
    Effect.forever(committed.await.pipe(Effect.andThen(committed.close), Effect.andThen(beginAll)))
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
