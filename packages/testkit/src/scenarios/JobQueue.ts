import { DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/transaction"
import { Context, Effect } from "effect"
import { type Work, workName } from "../memory/PendingWork.ts"

/** The jobs started in the current transaction. They are enqueued on commit. */
const Uncommitted = Context.Reference<Array<Work> | undefined>("@lastro/testkit/scenarios/JobQueue/Uncommitted", {
  defaultValue: () => undefined
})

/** A job queue for any database. Jobs are enqueued on commit and run only when a test runs them. */
export interface JobQueue {
  readonly durable: DurableWork["Service"]
  /** The database's unit of work. On commit, it also enqueues the jobs that were started in the transaction. */
  readonly unit: UnitOfWork["Service"]
  /** All jobs, oldest first. */
  readonly all: () => ReadonlyArray<Work>
  /** Jobs that have not ended, oldest first. */
  readonly pending: () => ReadonlyArray<Work>
  readonly end: (job: Work) => void
}

/** Makes an empty job queue for the current database. */
export const makeJobQueue: Effect.Effect<JobQueue, never, UnitOfWork> = Effect.map(UnitOfWork, (database) => {
  const jobs = new Map<string, Work>()
  const ended = new Set<string>()
  const start = (job: Work) =>
    Effect.map(
      Uncommitted,
      (uncommitted) => void (uncommitted === undefined ? enqueue([job]) : uncommitted.push(job))
    )
  const enqueue = (added: ReadonlyArray<Work>): void => {
    for (const job of added) if (!jobs.has(workName(job))) jobs.set(workName(job), job)
  }
  return {
    durable: DurableWork.of({
      startQuote: (quote_id) => start({ _tag: "Quote", quote_id }),
      startContract: (proposal_id, attempt) => start({ _tag: "Contract", proposal_id, attempt })
    }),
    unit: UnitOfWork.of({
      atomically: (effect) =>
        Effect.gen(function*() {
          const outer = yield* Uncommitted
          // The list is created inside the transaction, so that each retry by the database starts with an empty list.
          const inner = Effect.suspend(() => {
            const started: Array<Work> = []
            return Effect.map(Effect.provideService(effect, Uncommitted, started), (value) => ({ started, value }))
          })
          const { started, value } = yield* database.atomically(inner)
          if (outer === undefined) enqueue(started)
          else outer.push(...started)
          return value
        })
    }),
    all: () => Array.from(jobs.values()),
    pending: () => Array.from(jobs).filter(([name]) => !ended.has(name)).map(([, job]) => job),
    end: (job) => void ended.add(workName(job))
  }
})
