import { Effect } from "effect"
import { type Allowed, authorizeUserPatch } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type UserId } from "../values/ids.ts"
import { UserRepository } from "./UserRepository.ts"

/** Returns a user in the caller's subtree, or the caller itself. */
export const getUser = Effect.fnUntraced(function*(allowed: Allowed<"user:read">, id: UserId) {
  const found = yield* (yield* UserRepository).find(scopeOf(allowed), id)
  return (yield* Effect.fromResult(judgeFound(found))).record
})

/**
 * Returns the e-mail address with which the caller signs in. A form shows it to a password manager. A user can read its
 * own address even while a password change is due.
 */
export const getSignInEmail = Effect.fnUntraced(function*(caller: Caller) {
  const id = caller.subject as UserId
  const allowed = yield* Effect.fromResult(authorizeUserPatch(caller, id))
  const found = yield* (yield* UserRepository).find(scopeOf(allowed), id)
  return (yield* Effect.fromResult(judgeFound(found))).record.email
})
