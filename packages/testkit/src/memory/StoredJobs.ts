import { type JobKey, queueOf, type StoredJob, StoredJobs } from "@lastro/domain/jobs"
import { timestampOf } from "@lastro/domain/values"
import { Clock, Effect, Layer, Option, Order } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { withoutEntry } from "./MemoryState.ts"
import { type MemoryJob } from "./PendingWork.ts"

const nameOf = ({ id, kind }: JobKey): string => `${kind}/${id}`

const idleStateOf = (due_at: number, at: number): "DUE" | "WAITING" => due_at <= at ? "DUE" : "WAITING"

const storedJobOf = (
  { created_at, due_at, failures, job, last_error, progress, running }: MemoryJob,
  at: number
): StoredJob => ({
  kind: queueOf(job),
  id: job.id,
  state: running ? "RUNNING" : idleStateOf(due_at, at),
  created_at: timestampOf(created_at),
  due_at: timestampOf(due_at),
  attempt: progress.attempt,
  failures,
  last_error
})

const byDueTime = Order.mapInput(Order.Number, ({ due_at }: MemoryJob) => due_at)

const byCreation = Order.mapInput(Order.Number, ({ created_at }: MemoryJob) => created_at)

/** In-memory `StoredJobs`. */
export const layerStoredJobs = Layer.effect(
  StoredJobs,
  Effect.map(MemoryDatabase, ({ state, update }) =>
    StoredJobs.of({
      list: (limit) =>
        Effect.map(Effect.all([state, Clock.currentTimeMillis]), ([{ work }, at]) =>
          Array.from(work.values()).toSorted(byDueTime).slice(0, limit).map((job) =>
            storedJobOf(job, at)
          )),
      listFailed: (root, limit) =>
        Effect.map(Effect.all([state, Clock.currentTimeMillis]), ([{ work }, at]) =>
          Array.from(work.values())
            .filter(({ last_error, tenancy }) => last_error !== null && tenancy.root === root)
            .toSorted(byCreation)
            .slice(0, limit)
            .map((job) => storedJobOf(job, at))),
      find: (key) =>
        Effect.map(Effect.all([state, Clock.currentTimeMillis]), ([{ work }, at]) =>
          Option.map(Option.fromUndefinedOr(work.get(nameOf(key))), (job) =>
            storedJobOf(job, at))),
      end: (key) =>
        update((now) => ({ ...now, work: withoutEntry(now.work, nameOf(key)) }))
    }))
)
