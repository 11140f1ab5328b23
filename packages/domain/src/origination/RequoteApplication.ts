import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { type InScope } from "../hierarchy/Scope.ts"
import { type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { valueAt } from "../input/valueAt.ts"
import { lenderRegistry } from "../lender/Lenders.ts"
import { judgeNamedLenders } from "../lender/Routing.ts"
import { type Application, latestQuote } from "../loan/Application.ts"
import { decide } from "../loan/decide.ts"
import { IdGenerator } from "../ports/generators.ts"
import { type ApplicationId, type QuoteId } from "../values/ids.ts"
import { type Timestamp } from "../values/Timestamp.ts"
import { changeForCaller } from "./changeForCaller.ts"
import { fgtsApplication, maskApplication } from "./FgtsApplication.ts"
import { parseRequote } from "./parseNewApplication.ts"
import { callableLenders, planOf } from "./routedLenders.ts"
import { saveDecision } from "./saveDecision.ts"
import { startQuoteJobs } from "./startJobs.ts"

/**
 * Starts a new quote of an application in the caller's subtree. Older offers are superseded at once. The optional body
 * is untrusted.
 */
export const requoteApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  body: unknown,
  key?: SentKey
) {
  const { caller } = allowed
  const requote = Effect.fnUntraced(function*(application: InScope<Application>, at: Timestamp) {
    const registry = yield* lenderRegistry
    const callable = yield* callableLenders(registry, application.record.partner_id)
    const { routing, wish: before } = latestQuote(application.record)
    const { request: { lenders, wish } } = yield* Effect.fromResult(combineChecks({
      lenders: judgeNamedLenders(valueAt(body, ["lenders"]), callable.codes),
      request: parseRequote(body, before)
    }))
    const plan = planOf(registry, callable, lenders === undefined ? routing?.named : lenders ?? undefined)
    const quote_id = (yield* (yield* IdGenerator).next) as QuoteId
    const decided = decide({
      _tag: "RequestQuote",
      at,
      quote_id,
      wish,
      ...(yield* Effect.fromResult(plan))
    }, application.record)
    const after = yield* saveDecision(application, decided, { at, caller, action: "application.requote" })
    yield* startQuoteJobs(latestQuote(after))
    return fgtsApplication(after, at, "full")
  })
  return yield* changeForCaller(allowed, { application_id, key }, requote, maskApplication(personalDataView(caller)))
})
