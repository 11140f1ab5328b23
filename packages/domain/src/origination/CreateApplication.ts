import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { recordChange } from "../event/recordChange.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { valueAt } from "../input/valueAt.ts"
import { lenderRegistry } from "../lender/Lenders.ts"
import { judgeNamedLenders } from "../lender/Routing.ts"
import { latestQuote } from "../loan/Application.ts"
import { openApplication } from "../loan/evolve.ts"
import { IdGenerator } from "../ports/generators.ts"
import { findOwner, type FoundOwner } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { saoPauloDate } from "../values/CalendarDate.ts"
import { type ApplicationId, type QuoteId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { applicationCreated } from "./eventsOfLoan.ts"
import { type FgtsApplication, fgtsApplication, maskApplication } from "./FgtsApplication.ts"
import { parseNewApplication } from "./parseNewApplication.ts"
import { callableLenders, planOf } from "./routedLenders.ts"
import { auditedFacts } from "./saveDecision.ts"
import { startQuoteJobs } from "./startJobs.ts"

/**
 * Opens an application for a partner in the caller's subtree, and starts its first quote. Default: the caller's own
 * partner. The body is untrusted.
 */
export const createApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  const applications = yield* ApplicationRepository
  const create = Effect.fnUntraced(function*(foundOwner: FoundOwner) {
    const at = yield* currentTimestamp
    const registry = yield* lenderRegistry
    const callable = Result.isSuccess(foundOwner)
      ? yield* callableLenders(registry, foundOwner.success.record)
      : { strategy: "ALL" as const, codes: [] }
    const { owner, request } = yield* Effect.fromResult(combineChecks({
      lenders: Result.isSuccess(foundOwner)
        ? judgeNamedLenders(valueAt(body, ["lenders"]), callable.codes)
        : Result.void,
      request: parseNewApplication(body, saoPauloDate(at)),
      owner: foundOwner
    }))
    const plan = yield* Effect.fromResult(planOf(registry, callable, request.lenders ?? undefined))
    const ids = yield* IdGenerator
    const quote_id = (yield* ids.next) as QuoteId
    const application = openApplication({
      _tag: "ApplicationOpened",
      at,
      application_id: (yield* ids.next) as ApplicationId,
      external_id: request.external_id,
      partner_id: owner.record,
      created_by: caller.subject,
      customer: request.customer,
      metadata: request.metadata,
      quote_id,
      wish: request.wish,
      ...plan
    })
    yield* applications.insert(owner, application)
    yield* startQuoteJobs(latestQuote(application))
    yield* recordChange({
      events: [applicationCreated(application)],
      at,
      caller,
      action: "application.create",
      subject_id: application.application_id,
      partner_id: application.partner_id,
      after: auditedFacts(application)
    })
    return fgtsApplication(application, at, "full")
  })
  const once = runOnce(allowed, key, {
    present: ({ application_id }: Partial<FgtsApplication>) =>
      application_id === undefined ? Effect.succeedNone : applications.find(scopeOf(allowed), application_id),
    owner: ({ partner_id }: FgtsApplication) => partner_id,
    record: ({ application_id }) => application_id,
    shown: maskApplication(personalDataView(caller))
  }, findOwner(allowed, body))
  return yield* (yield* UnitOfWork).atomically(once(create))
})
