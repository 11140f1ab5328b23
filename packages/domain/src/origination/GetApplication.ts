import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { fieldProblem, problem } from "../input/FieldProblem.ts"
import { firstValue, type RawQuery, unknownParameters } from "../input/RawQuery.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { fgtsApplication } from "./FgtsApplication.ts"

/**
 * Returns an application in the caller's subtree. If the query contains `include=quotes`, the answer contains all
 * quotes.
 */
export const getApplication = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  id: ApplicationId,
  query: RawQuery
) {
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  const include = firstValue(query["include"]) ?? ""
  const problems = [
    ...include === "" || include === "quotes"
      ? []
      : [fieldProblem("query.include", problem("UNKNOWN_VALUE", { allowed: "quotes" }))],
    ...unknownParameters(query, (name) => name === "include")
  ]
  if (problems.length > 0) return yield* new ValidationFailed({ problems })
  return fgtsApplication(record, yield* currentTimestamp, personalDataView(allowed.caller), {
    quotes: include === "quotes"
  })
})

/**
 * Returns when an application in the caller's subtree was cancelled before an offer was accepted. Null if it was not.
 */
export const getCancellationTime = Effect.fnUntraced(function*(allowed: Allowed<"fgts:read">, id: ApplicationId) {
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const { record: { cancellation } } = yield* Effect.fromResult(judgeFound(found))
  return cancellation === null ? null : cancellation.at
})
