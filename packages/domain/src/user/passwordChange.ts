import { Effect, Option, Redacted, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Caller, isSelf } from "../access/Caller.ts"
import { type InScope, judgeFound, scopeOf, type SubtreeScope } from "../hierarchy/Scope.ts"
import { judgeNewPassword } from "../identity/judgePassword.ts"
import { canonicalPassword, Password, passwordForms } from "../identity/Password.ts"
import { type PasswordHash, PasswordHasher } from "../identity/PasswordHasher.ts"
import { userAttempts, verifySecret } from "../identity/verifySecret.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { decode } from "../input/decode.ts"
import { type FieldProblem, fieldProblem, problem } from "../input/FieldProblem.ts"
import { valueAt } from "../input/valueAt.ts"
import { invalidType } from "../input/ValueType.ts"
import { PartnerRepository } from "../partner/PartnerRepository.ts"
import { type PartnerId } from "../values/ids.ts"
import { type UserDetail } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"

const decodePassword = decode(Password)

/**
 * A verified change of password or e-mail address. `hash` is the new hash, if the patch has a password. `verified` is
 * the stored hash that the current password matched.
 */
export interface PasswordChange {
  readonly hash: PasswordHash | undefined
  readonly verified: PasswordHash | undefined
}

/** Returns the name of a partner, which must not be used as a password. Returns no name for a partner outside `scope`. */
export const partnerNames = Effect.fnUntraced(function*(scope: SubtreeScope, id: PartnerId) {
  const found = judgeFound(yield* (yield* PartnerRepository).find(scope, id))
  return Result.isSuccess(found) ? [found.success.record.name] : []
})

export const passwordMismatch: FieldProblem = fieldProblem("current_password", problem("MISMATCH"))

/**
 * A user who changes its own password must choose one that differs from the current one, compared in NFC. The problem
 * is SUPERSEDED.
 * @rule USER-06
 */
export const judgeChoice = (chosen: unknown, current: string | undefined): Result.Result<void, FieldProblem> =>
  typeof chosen === "string" && current !== undefined && canonicalPassword(chosen) === canonicalPassword(current)
    ? Result.fail(fieldProblem("password", problem("SUPERSEDED", { reason: "UNCHANGED" })))
    : Result.void

/**
 * To change its own password or e-mail address, a user must send its current password.
 * @rule USER-10
 */
export const needsCurrent = (
  caller: Caller,
  { email, user_id }: Pick<UserDetail, "email" | "user_id">,
  body: unknown
): boolean => {
  const address = valueAt(body, ["email"])
  return isSelf(caller, user_id) &&
    (valueAt(body, ["password"]) !== undefined || (address !== undefined && address !== email))
}

/**
 * Checks the new password in a patch, and the current password if the patch requires it. Returns undefined if the patch
 * contains neither a password nor an e-mail address. Otherwise `findUser` finds the user, and runs the checks that
 * precede those of the body. Hashing is slow by design, so call this function before the transaction of the patch.
 */
export const passwordChange = Effect.fnUntraced(function*<E, R>(
  allowed: Allowed<"user:patch">,
  body: unknown,
  findUser: Effect.Effect<InScope<UserDetail>, E, R>
) {
  const { caller } = allowed
  const raw = valueAt(body, ["password"])
  const current = readCurrent(body)
  const changesSignIn = raw !== undefined || valueAt(body, ["email"]) !== undefined
  if (!changesSignIn) return Result.map(combineChecks({ current }), () => undefined)
  const user = yield* findUser
  const isCurrentNeeded = needsCurrent(caller, user.record, body) && Result.isSuccess(current)
  const verifying = isCurrentNeeded ? verifyCurrent(user, current.success) : Effect.succeed(Result.succeed(undefined))
  if (raw === undefined) {
    return Result.map(
      combineChecks({ current, verified: yield* verifying }),
      ({ verified }): PasswordChange | undefined => verified === undefined ? undefined : { hash: undefined, verified }
    )
  }
  const checked = combineChecks({
    password: decodePassword(raw, ["password"]),
    guessable: yield* judgeNewPassword(raw, "password", yield* personalTexts(allowed, user.record, body)),
    current,
    choice: isCurrentNeeded ? judgeChoice(raw, current.success) : Result.void,
    verified: yield* verifying
  })
  if (Result.isFailure(checked)) return Result.fail(checked.failure)
  const { password, verified } = checked.success
  const change: PasswordChange = { hash: yield* (yield* PasswordHasher).hash(Redacted.make(password)), verified }
  return Result.succeed(change)
})

/** Returns the user's own texts, before and after the patch. A new password must not be made of them. */
const personalTexts = Effect.fnUntraced(function*(
  allowed: Allowed<"user:patch">,
  { cpf, email, name, partner_id }: UserDetail,
  body: unknown
) {
  const names = yield* partnerNames(scopeOf(allowed), partner_id)
  return [name, valueAt(body, ["name"]), ...names, email, cpf, valueAt(body, ["email"])]
})

/** Parses `current_password`, which must be text even if it is not needed. */
const readCurrent = (body: unknown): Result.Result<string | undefined, FieldProblem> => {
  const current = valueAt(body, ["current_password"])
  return current === undefined || typeof current === "string"
    ? Result.succeed(current)
    : Result.fail(fieldProblem("current_password", current === null ? problem("NOT_NULLABLE") : invalidType("text")))
}

const verifyCurrent = Effect.fnUntraced(function*(user: InScope<UserDetail>, current: string | undefined) {
  if (current === undefined) return Result.fail(fieldProblem("current_password", problem("REQUIRED")))
  const users = yield* UserRepository
  const stored = yield* users.passwordHash(user)
  const username = userAttempts(user.record.email)
  const isRight = yield* verifySecret(username, passwordForms(Redacted.make(current)), Option.some(stored))
  return isRight ? Result.succeed(stored) : Result.fail(passwordMismatch)
})
