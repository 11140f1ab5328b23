import { Effect, Result, type Schema } from "effect"
import { type Allowed, type AuthorizedAction } from "../access/Authorization.ts"
import { type InScope, judgeFound, type NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { type ReplayRules, runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { type Application, recordingTime } from "../loan/Application.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp, type Timestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/** The application to change, or a part of it such as an offer, and the idempotency key. */
export interface ChangeTarget<Part> {
  readonly application_id: ApplicationId
  readonly key: SentKey | undefined
  /** Finds the part of the application that the change concerns. Default: no part. */
  readonly findPart?: (application: Application) => Result.Result<Part, NotFound>
}

/**
 * Changes an application in the caller's subtree in one transaction, at most once for each idempotency key. Then ends
 * the long polls on the application. An unknown part, and an application that is unknown or outside the subtree, are
 * refused before the idempotency key is checked. `change` receives the locked application, the time to record, and the
 * part. The part was found before the lock, so `change` must read from it only what never changes.
 */
export const changeForCaller = Effect.fnUntraced(function*<A extends Schema.Json, E, R, Part = void>(
  allowed: Allowed<AuthorizedAction>,
  { application_id, findPart, key }: ChangeTarget<Part>,
  change: (application: InScope<Application>, at: Timestamp, part: Part) => Effect.Effect<A, E, R>,
  shown: (answer: A) => A = (answer) => answer
) {
  const applications = yield* ApplicationRepository
  const scope = scopeOf(allowed)
  const transaction = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(allowed.caller.root_id, "shared")
    // This read takes no row lock, so that a request whose idempotency key is in use is refused without a wait.
    const found = yield* applications.find(scope, application_id)
    const { record } = yield* Effect.fromResult(judgeFound(found))
    const part = yield* Effect.fromResult(findPart?.(record) ?? Result.succeed(undefined as Part))
    const lockAndChange = Effect.fnUntraced(function*() {
      const locked = yield* Effect.fromResult(judgeFound(yield* applications.findForUpdate(scope, application_id)))
      return yield* change(locked, recordingTime(locked.record, yield* currentTimestamp), part)
    })
    const replayRules: ReplayRules<A, never> = {
      // `found` is still valid, because the lock on the tree prevents a move of the application's partner.
      present: () => Effect.succeed(found),
      owner: () => record.partner_id,
      record: () => application_id,
      shown
    }
    return yield* runOnce(allowed, key, replayRules, Effect.void)(lockAndChange)
  })
  const once = yield* (yield* UnitOfWork).atomically(transaction)
  yield* (yield* StatusWatch).changed(application_id)
  return once
})
