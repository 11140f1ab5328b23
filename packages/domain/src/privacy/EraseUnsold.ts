import { Effect } from "effect"
import { endWaits } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { addMillis, currentTimestamp } from "../values/Timestamp.ts"
import { cancelBeforeErasure, eraseOne } from "./eraseOne.ts"
import { type ChangePosition, PersonalDataStore } from "./PersonalDataStore.ts"
import { isUnsoldDue, judgeErasure } from "./Retention.ts"

/** Maximum number of applications that one call examines. */
const batchSize = 20

/** The result of a call of {@link eraseUnsold}. */
export interface UnsoldErasure {
  readonly erased: number
  /** The position after which the next call continues. Null if nothing is left. */
  readonly next: ChangePosition | null
}

/**
 * Erases the personal data of applications that were never paid and have not changed for `retentionMs` milliseconds
 * (PRIV-15). The records stay, as in `erasePerson`. Examines up to 20 applications after a position: call it again with
 * `next` until that is null. Stores an audit entry `privacy.anonymise` for each erased application. Several nodes can
 * run it concurrently. For background work only.
 */
export const eraseUnsold = Effect.fn("eraseUnsold")(function*(
  retentionMs: number,
  after: ChangePosition | null = null
) {
  const batch = Effect.gen(function*() {
    const at = yield* currentTimestamp
    const store = yield* PersonalDataStore
    const found = yield* store.findUnsold(addMillis(at, -retentionMs), after, batchSize)
    const due = found.applications.filter((application) => isUnsoldDue(application, at, retentionMs))
    for (const application of due) {
      const verdict = judgeErasure(application, at, 0)
      const isCancelledFirst = verdict._tag === "ERASE" && verdict.isCancelledFirst
      const ended = isCancelledFirst ? yield* cancelBeforeErasure(application, "OTHER", at) : application
      yield* eraseOne(ended, application.customer.cpf, "privacy.anonymise", at)
    }
    return { due, next: found.next }
  })
  const { due, next } = yield* (yield* UnitOfWork).atomically(batch)
  yield* endWaits(due.map(({ application_id }) => application_id))
  const result: UnsoldErasure = { erased: due.length, next }
  return result
})
