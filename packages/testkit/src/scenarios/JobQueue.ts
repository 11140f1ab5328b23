import { type Job, jobName } from "@lastro/domain/jobs"
import { DurableWork } from "@lastro/domain/origination"
import { UnitOfWork } from "@lastro/domain/ports"
import { Context, Effect } from "effect"

/** The jobs that were started in the current transaction. They are enqueued at its commit. */
const Uncommitted = Context.Reference<Array<Job> | undefined>("@lastro/testkit/scenarios/JobQueue/Uncommitted", {
  defaultValue: () => undefined
})

/** A job queue in memory, with any database. Jobs are enqueued on commit, and run only when a test runs them. */
export interface JobQueue {
  readonly durable: DurableWork["Service"]
  /** The database's unit of work. On commit, it also enqueues the jobs that were started in the transaction. */
  readonly unit: UnitOfWork["Service"]
  /** All jobs, oldest first. */
  readonly all: () => ReadonlyArray<Job>
  /** Jobs that have not ended, oldest first. */
  readonly pending: () => ReadonlyArray<Job>
  readonly end: (job: Job) => void
}

/** Makes an empty job queue for the current database. */
export const makeJobQueue: Effect.Effect<JobQueue, never, UnitOfWork> = Effect.map(UnitOfWork, (database) => {
  const jobs = new Map<string, Job>()
  const ended = new Set<string>()
  const start = (job: Job) =>
    Effect.map(Uncommitted, (uncommitted) => {
      if (uncommitted === undefined) enqueue([job])
      else uncommitted.push(job)
    })
  const enqueue = (added: ReadonlyArray<Job>): void => {
    for (const job of added) {
      jobs.set(jobName(job), job)
      ended.delete(jobName(job))
    }
  }
  return {
    durable: DurableWork.of({
      startQuote: (id, lender) => start({ kind: "quote", id, ...(lender === undefined ? {} : { lender }) }),
      startPatience: (id) => start({ kind: "patience", id }),
      startContract: (id, lender) => start({ kind: "contract", id, ...(lender === undefined ? {} : { lender }) }),
      // A scenario can run any job at any time, so `makeDue` does nothing.
      makeDue: () => Effect.void
    }),
    unit: UnitOfWork.of({
      isOpen: database.isOpen,
      atomically: (effect) =>
        Effect.gen(function*() {
          const outer = yield* Uncommitted
          // The list is created in the transaction, so that each retry by the database starts with an empty list.
          const inner = Effect.suspend(() => {
            const started: Array<Job> = []
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
    end: (job) => void ended.add(jobName(job))
  }
})
