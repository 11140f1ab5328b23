import { Effect } from "effect"
import { judgeFound, scopeOf } from "../../hierarchy/Scope.ts"
import { type ApplicationId } from "../../id/ids.ts"
import { type Allowed } from "../../identity/Authorization.ts"
import { personalDataView } from "../../identity/PersonalDataView.ts"
import { firstValue, type RawQuery } from "../../paging/RawQuery.ts"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { fieldProblem, problem, ValidationFailed } from "../../validation/FieldProblem.ts"
import { fgtsApplication } from "../view/FgtsApplication.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/** Returns an application in the caller's subtree. If the query contains `include=quotes`, the answer contains all quotes. */
export const getApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  id: ApplicationId,
  query: RawQuery
) {
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  const include = firstValue(query["include"]) ?? ""
  if (include !== "" && include !== "quotes") {
    return yield* new ValidationFailed({
      problems: [fieldProblem("query.include", problem("UNKNOWN_VALUE", { allowed: "quotes" }))]
    })
  }
  return fgtsApplication(record, yield* currentTimestamp, personalDataView(allowed.caller), {
    quotes: include === "quotes"
  })
})
