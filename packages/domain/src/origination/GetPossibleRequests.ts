import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { possibleRequests } from "../loan/possibleRequests.ts"
import { type ApplicationId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { knownExitsOfContract } from "./exitsOfLender.ts"

/** Returns the requests that would change an application in the caller's subtree. Does not call the lender. */
export const getPossibleRequests = Effect.fnUntraced(function*(allowed: Allowed<"fgts:write">, id: ApplicationId) {
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  return possibleRequests(record, yield* currentTimestamp, yield* knownExitsOfContract(record))
})
