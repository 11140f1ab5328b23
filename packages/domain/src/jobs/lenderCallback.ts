import { Effect, Option } from "effect"
import { NotFound } from "../hierarchy/Scope.ts"
import { Lender } from "../lender/Lender.ts"
import { type CallbackState, type CallbackTarget, type LenderCallback } from "../lender/LenderCallback.ts"
import {
  findLender,
  lenderOfRecord,
  type LenderRegistry,
  lenderRegistry,
  type RegisteredLender
} from "../lender/Lenders.ts"
import { acceptedOffer, latestQuote } from "../loan/Application.ts"
import { partAt } from "../loan/quoteParts.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { DurableWork, type JobTarget } from "../origination/DurableWork.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { isStorableKey, isStorableReference, isStorableState } from "./judgeTexts.ts"

/** Maximum number of quotes and contracts in one callback. Further ones are ignored. */
const maxTargets = 100

/** Returns the `lender_state` of a callback, if it can be stored. */
const stateOf = ({ lender_state }: CallbackState): Effect.Effect<CallbackState> => {
  if (lender_state === undefined) return Effect.succeed({})
  return isStorableState(lender_state)
    ? Effect.succeed({ lender_state })
    : Effect.as(Effect.logError("the lender_state of a callback cannot be stored; the job runs without it"), {})
}

/** Returns the job of the quote or contract in a callback. None if no proposal has the reference. */
const jobTargetOf = Effect.fnUntraced(function*(target: CallbackTarget, lender: string) {
  if (target.kind === "quote") {
    const state = yield* stateOf(target)
    return Option.some<JobTarget>(
      "quote_id" in target
        ? { kind: "quote", id: target.quote_id, ...state }
        : { kind: "quote", callback_key: target.callback_key, ...state }
    )
  }
  if ("proposal_id" in target) return Option.some<JobTarget>({ kind: "contract", id: target.proposal_id })
  const holder = yield* (yield* ApplicationRepository).holderOfReference(target.reference, lender)
  return Option.map(holder, (id): JobTarget => ({ kind: "contract", id }))
})

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/**
 * Returns whether the database can look up an id, key or reference from a callback. It cannot look up a malformed UUID,
 * a NUL character or a text that is too long.
 */
const canBeLookedUp = (target: CallbackTarget): boolean => {
  if ("quote_id" in target) return isUuid(target.quote_id)
  if ("proposal_id" in target) return isUuid(target.proposal_id)
  return "callback_key" in target
    ? target.callback_key !== "" && isStorableKey(target.callback_key)
    : isStorableReference(target.reference)
}

/**
 * A callback of the lender makes the jobs of its quotes and contracts due at once, and can replace the `lender_state`
 * of a quote. It changes nothing else: its content is never recorded as a fact. The adapter authenticates the callback,
 * and reads the `lender_state` at the next request. `lender` is the code of a lender of the installation. Unknown quotes
 * and contracts are ignored, and so are those of other lenders.
 * @rule JOB-06
 */
export const lenderCallback = Effect.fn("lenderCallback")(function*(lender: string, callback: LenderCallback) {
  const adapter = yield* Effect.serviceOption(Lender)
  if (Option.isNone(adapter)) return yield* new NotFound()
  const registry = yield* Effect.provideService(lenderRegistry, Lender, adapter.value)
  const registered = findLender(registry, lender)
  if (registered === undefined) return yield* new NotFound()
  const targets = yield* Effect.tapError(
    registered.lender.callback(callback),
    ({ detail }) => Effect.annotateLogs(Effect.logWarning("a callback of the lender was refused"), { lender, detail })
  )
  const searchable = targets.slice(0, maxTargets).filter(canBeLookedUp)
  if (searchable.length === 0) return
  const work = yield* DurableWork
  const hasCodes = registry.quote_patience_ms !== null
  yield* (yield* UnitOfWork).atomically(Effect.gen(function*() {
    for (const target of searchable) {
      const job = yield* jobTargetOf(target, lender)
      if (Option.isNone(job)) continue
      // An installation can start or stop using codes. So the job can be in the queue of the lender, or in the queue
      // without a lender.
      if (hasCodes || "id" in job.value) yield* work.makeDue({ ...job.value, lender })
      if (!hasCodes || (yield* isOfLender(job.value, registered, registry))) yield* work.makeDue(job.value)
    }
  }))
})

/** Returns whether a quote or contract from the queue without a lender belongs to this lender (LENDER-27). */
const isOfLender = Effect.fnUntraced(function*(target: JobTarget, lender: RegisteredLender, registry: LenderRegistry) {
  if (!("id" in target)) return false
  const applications = yield* ApplicationRepository
  const found = target.kind === "contract"
    ? yield* applications.ofProposal(target.id)
    : yield* applications.ofQuote(target.id)
  if (Option.isNone(found)) return false
  const code = target.kind === "contract"
    ? acceptedOffer(found.value)?.lender
    : partAt(latestQuote(found.value), lender.code)?.lender.code
  return lenderOfRecord(registry, code === undefined || code === "" ? null : code) === lender
})

/** Minimum time between two runs of a job that callbacks make due, in milliseconds. */
export const duePauseMs = 1_000

/**
 * A callback makes a job due at once, but at least one second after the job was last made due. Until then, further
 * callbacks have no effect. Returns the time at which the job is due, or null if an earlier callback already made it
 * due. Times are milliseconds since 1970.
 * @rule JOB-05
 */
export const dueAt = (last_due_at: number | null, at: number): number | null => {
  if (last_due_at === null) return at
  return last_due_at > at ? null : Math.max(at, last_due_at + duePauseMs)
}

/** Time for which an early callback is remembered (LENDER-22), in milliseconds: 15 minutes. */
export const earlyCallbackMs = 15 * 60_000

/**
 * A callback with a `callback_key` is remembered for 15 minutes, because it can arrive before the PENDING answer with
 * this key is stored. If a job gets the key within that time, it becomes due at once, with the `lender_state` of the
 * callback.
 * @rule LENDER-22
 */
export const isRemembered = (called_at: number, at: number): boolean => at - called_at < earlyCallbackMs
