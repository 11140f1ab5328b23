import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type ApplicationId } from "../values/ids.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"

/**
 * Returns when an application in the caller's subtree was cancelled before an offer was accepted. Null if it was not.
 */
export const getCancellationTime = Effect.fnUntraced(function*(allowed: Allowed<"fgts:read">, id: ApplicationId) {
  const found = yield* (yield* ApplicationRepository).find(scopeOf(allowed), id)
  const { record: { cancellation } } = yield* Effect.fromResult(judgeFound(found))
  return cancellation === null ? null : cancellation.at
})
