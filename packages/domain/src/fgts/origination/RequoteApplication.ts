import { Effect } from "effect"
import { type InScope } from "../../hierarchy/Scope.ts"
import { IdGenerator } from "../../id/IdGenerator.ts"
import { type ApplicationId, type QuoteId } from "../../id/ids.ts"
import { type Allowed } from "../../identity/Authorization.ts"
import { personalDataView } from "../../identity/PersonalDataView.ts"
import { type Timestamp } from "../../time/Timestamp.ts"
import { type Application, latestQuote } from "../application/Application.ts"
import { decideRequestQuote } from "../application/decideQuote.ts"
import { Lender } from "../lender/Lender.ts"
import { kycRequirementsOf } from "../lender/LenderRequirements.ts"
import { fgtsApplication, maskApplication } from "../view/FgtsApplication.ts"
import { changeForCaller } from "./changeForCaller.ts"
import { DurableWork } from "./DurableWork.ts"
import { parseRequote } from "./parseNewApplication.ts"
import { saveDecision } from "./saveDecision.ts"

/**
 * Starts a new quote of an application in the caller's subtree. Older offers are superseded immediately. The optional
 * body is untrusted.
 */
export const requoteApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:write">,
  application_id: ApplicationId,
  body: unknown
) {
  const { caller } = allowed
  const requote = Effect.fnUntraced(function*(application: InScope<Application>, at: Timestamp) {
    const wish = yield* Effect.fromResult(parseRequote(body, latestQuote(application.record).wish))
    const quote_id = (yield* (yield* IdGenerator).next) as QuoteId
    const decided = decideRequestQuote(application.record, {
      _tag: "RequestQuote",
      at,
      quote_id,
      wish,
      requirements: kycRequirementsOf((yield* Lender).requirements)
    })
    const after = yield* saveDecision(application, decided, { at, caller, action: "application.requote" })
    yield* (yield* DurableWork).startQuote(quote_id)
    return fgtsApplication(after, at, "full")
  })
  return yield* changeForCaller(allowed, { application_id }, requote, maskApplication(personalDataView(caller)))
})
