import { Effect, Result } from "effect"
import { asOperator, judgeFound } from "../../hierarchy/Scope.ts"
import { currentTimestamp, type Timestamp } from "../../time/Timestamp.ts"
import { UnitOfWork } from "../../transaction/UnitOfWork.ts"
import { type Application, recordingTime } from "../application/Application.ts"
import { type ApplicationEvent } from "../application/ApplicationEvent.ts"
import { decideRecordContract } from "../application/decideContract.ts"
import { type LenderContract } from "../lender/Lender.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { saveDecision } from "../origination/saveDecision.ts"
import { StatusWatch } from "../origination/StatusWatch.ts"

/**
 * Records the state of a contract at the lender. Returns the application afterwards. If the state changes nothing, no transaction is
 * started.
 */
export const recordContract = Effect.fnUntraced(function*(application: Application, contract: LenderContract) {
  const changes = decideRecordContract(application, { _tag: "RecordContract", at: application.updated_at, contract })
  if (changes.length === 0) return application
  return yield* recordFromLender(
    application,
    "application.contract",
    (present, at) => decideRecordContract(present, { _tag: "RecordContract", at, contract })
  )
})

/** The actor of the audit entries for the lender's answers. */
const lender = { subject: "lender" } as const

/**
 * Applies the lender's answer to the current state of an application, in one transaction, and wakes the waiters of the application. For
 * durable jobs only.
 */
export const recordFromLender = Effect.fnUntraced(function*(
  { application_id, partner_id }: Application,
  action: string,
  decide: (present: Application, at: Timestamp) => ReadonlyArray<ApplicationEvent>
) {
  const applications = yield* ApplicationRepository
  const record = Effect.gen(function*() {
    const found = yield* applications.findForUpdate(asOperator.scope(partner_id), application_id)
    const present = yield* Effect.orDie(Effect.fromResult(judgeFound(found)))
    const at = recordingTime(present.record, yield* currentTimestamp)
    return yield* saveDecision(present, Result.succeed(decide(present.record, at)), { at, caller: lender, action })
  })
  const after = yield* (yield* UnitOfWork).atomically(record)
  yield* (yield* StatusWatch).changed(application_id)
  return after
})
