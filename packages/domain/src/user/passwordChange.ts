import { Effect, Option, Redacted, Result } from "effect"
import { type InScope } from "../hierarchy/Scope.ts"
import { type Caller, isSelf } from "../identity/Caller.ts"
import { Password } from "../identity/Password.ts"
import { type PasswordHash, PasswordHasher } from "../identity/PasswordHasher.ts"
import { userAttempts, verifySecret } from "../token/verifySecret.ts"
import { decode } from "../validation/decode.ts"
import { at, type FieldProblem, problem } from "../validation/FieldProblem.ts"
import { together } from "../validation/together.ts"
import { valueAt } from "../validation/valueAt.ts"
import { type UserDetail } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"

const decodePassword = decode(Password)

/** A change of password that passed: the new hash, and the stored one that the current password was verified against. */
export interface PasswordChange {
  readonly hash: PasswordHash
  readonly verified: PasswordHash | undefined
}

/** What is wrong with a `current_password` that is not the stored one. */
export const mismatch: FieldProblem = at("current_password", problem("MISMATCH"))

/**
 * Whoever changes its own password has to choose another than the current one: the current one is refused as
 * SUPERSEDED, of all codes the nearest.
 * @rule USER-06
 */
export const judgeChoice = (chosen: unknown, current: string | undefined): Result.Result<void, FieldProblem> =>
  chosen === current ? Result.fail(at("password", problem("SUPERSEDED"))) : Result.void

/**
 * Reads and verifies the change of password that a patch asks for; undefined where it asks for none. Whoever changes
 * its own has to know the current one. `judged` finds the user and refuses the patch for whatever comes before its body;
 * it runs only where a change is asked for. Hashing is slow on purpose, so this comes before the patch's transaction.
 */
export const passwordChange = Effect.fnUntraced(function*<E, R>(
  caller: Caller,
  body: unknown,
  judged: Effect.Effect<InScope<UserDetail>, E, R>
) {
  const raw = valueAt(body, ["password"])
  const current = readCurrent(body)
  if (raw === undefined) return Result.map(together({ current }), () => undefined)
  const user = yield* judged
  const own = isSelf(caller, user.record.user_id) && Result.isSuccess(current)
  const checked = together({
    password: decodePassword(raw, ["password"]),
    current,
    choice: own ? judgeChoice(raw, current.success) : Result.void,
    verified: own ? yield* verifyCurrent(user, current.success) : Result.succeed(undefined)
  })
  if (Result.isFailure(checked)) return Result.fail(checked.failure)
  const { password, verified } = checked.success
  const change: PasswordChange = { hash: yield* (yield* PasswordHasher).hash(Redacted.make(password)), verified }
  return Result.succeed(change)
})

/** A `current_password` that is there is a text, also where nobody asks for it. */
const readCurrent = (body: unknown): Result.Result<string | undefined, FieldProblem> => {
  const current = valueAt(body, ["current_password"])
  return current === undefined || typeof current === "string"
    ? Result.succeed(current)
    : Result.fail(at("current_password", problem(current === null ? "NOT_NULLABLE" : "INVALID_TYPE")))
}

const verifyCurrent = Effect.fnUntraced(function*(user: InScope<UserDetail>, current: string | undefined) {
  if (current === undefined) return Result.fail(at("current_password", problem("REQUIRED")))
  const users = yield* UserRepository
  const stored = yield* users.passwordHash(user)
  const username = userAttempts(user.record.email)
  const right = yield* verifySecret(username, Redacted.make(current), Option.some(stored))
  return right ? Result.succeed(stored) : Result.fail(mismatch)
})
