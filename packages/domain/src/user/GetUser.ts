import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type UserId } from "../values/ids.ts"
import { UserRepository } from "./UserRepository.ts"

/** Returns a user in the caller's subtree, or the caller itself. */
export const getUser = Effect.fnUntraced(function*(allowed: Allowed<"user:read">, id: UserId) {
  const found = yield* (yield* UserRepository).find(scopeOf(allowed), id)
  return (yield* Effect.fromResult(judgeFound(found))).record
})
