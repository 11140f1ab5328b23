import { dueAt, isRemembered, type Job, jobName, jobStarted } from "@lastro/domain/jobs"
import { DurableWork, type JobTarget } from "@lastro/domain/origination"
import { type Tenancy, unknownTenancy } from "@lastro/domain/ports"
import { currentTraceparent } from "@lastro/domain/values"
import { Clock, Effect, Layer } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { type MemoryState, put, rootOf } from "./MemoryState.ts"
import { type MemoryJob, type StoredCallback } from "./PendingWork.ts"

/** Returns the code of the lender of a job. Undefined if there is none. */
export const lenderOf = (job: Job): string | undefined => job.kind === "patience" ? undefined : job.lender

/** Returns the stored form of a callback key. Keys of different lenders do not collide. */
export const storedKey = (callback_key: string, lender: string | undefined): string => `${lender ?? ""}/${callback_key}`

const matches = ({ job, progress }: MemoryJob, target: JobTarget): boolean =>
  job.kind === target.kind && lenderOf(job) === target.lender &&
  ("id" in target ? job.id === target.id : progress.callback_key === target.callback_key)

/** Stores a callback that has a callback key. Removes the stored callbacks that are too old. */
const withCallback = (
  callbacks: ReadonlyMap<string, StoredCallback>,
  target: JobTarget,
  at: number
): ReadonlyMap<string, StoredCallback> => {
  if (!("callback_key" in target)) return callbacks
  const key = storedKey(target.callback_key, target.lender)
  const { lender_state = callbacks.get(key)?.lender_state ?? null } = target
  const kept = Array.from(callbacks).filter(([, { called_at }]) => isRemembered(called_at, at))
  return new Map(kept).set(key, { lender_state, called_at: at })
}

/** Returns the root and the partner of the application of a job. Without such an application: `unknownTenancy`. */
const tenancyOf = (state: MemoryState, { id }: Job): Tenancy => {
  for (const { application: { partner_id, proposal, quotes } } of state.applications.values()) {
    if (proposal?.proposal_id !== id && !quotes.some(({ quote_id }) => quote_id === id)) continue
    const root = rootOf(state, partner_id)
    if (root !== undefined) return { root, partner: partner_id }
  }
  return unknownTenancy
}

/** Stores jobs in the current transaction. */
export const layerDurableWork = Layer.effect(
  DurableWork,
  Effect.gen(function*() {
    const { update } = yield* MemoryDatabase
    let lastStart = 0

    const start = Effect.fnUntraced(function*(job: Job) {
      const at = yield* Clock.currentTimeMillis
      const traceparent = yield* currentTraceparent
      const starts = ++lastStart
      yield* update((now) => {
        const { created_at = at, running = false, wakes = 0, woken_at = null } = now.work.get(jobName(job)) ?? {}
        const stored: MemoryJob = {
          job,
          tenancy: tenancyOf(now, job),
          progress: jobStarted,
          waiting: false,
          starts,
          wakes,
          woken_at,
          created_at,
          due_at: at,
          running,
          failures: 0,
          last_error: null,
          traceparent
        }
        return put(now, "work", jobName(job), stored)
      })
    })

    const makeDue = Effect.fnUntraced(function*(target: JobTarget) {
      const at = yield* Clock.currentTimeMillis
      yield* update((now) => {
        const work = new Map(now.work)
        for (const [name, stored] of work) {
          if (!matches(stored, target)) continue
          const { lender_state } = stored.progress
          const state = ("lender_state" in target ? target.lender_state : undefined) ?? lender_state
          const woken_at = dueAt(stored.woken_at, at)
          if (woken_at === null && state === lender_state) continue
          work.set(name, {
            ...stored,
            progress: state === lender_state ? stored.progress : { ...stored.progress, lender_state: state ?? null },
            waiting: false,
            wakes: stored.wakes + 1,
            woken_at: woken_at ?? stored.woken_at,
            due_at: Math.min(stored.due_at, woken_at ?? stored.due_at)
          })
        }
        return { ...now, work, callbacks: withCallback(now.callbacks, target, at) }
      })
    })

    return DurableWork.of({
      startQuote: (id, lender) => start({ kind: "quote", id, ...(lender === undefined ? {} : { lender }) }),
      startPatience: (id) => start({ kind: "patience", id }),
      startContract: (id, lender) => start({ kind: "contract", id, ...(lender === undefined ? {} : { lender }) }),
      makeDue
    })
  })
)
