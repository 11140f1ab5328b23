import { Effect, Predicate, Result } from "effect"
import { type Allowed, PasswordChangeRequired, PermissionDenied } from "../access/Authorization.ts"
import { Caller, isSelf } from "../access/Caller.ts"
import { recordChange } from "../event/recordChange.ts"
import { type InScope, judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { RefreshTokenRepository } from "../identity/RefreshToken.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { ValidationFailed } from "../input/ValidationFailed.ts"
import { findReferencedPartner, PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type UserId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { judgeAuthority, judgeGrant, judgeNamedGrant, parseGroup } from "./judgeGroup.ts"
import { refuseLastAdministrator } from "./lastAdministrator.ts"
import { type PasswordChange, passwordChange, passwordMismatch } from "./passwordChange.ts"
import { passwordFields, patchUser } from "./patchUser.ts"
import { eventsOfUser, type UserDetail } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"

/** Returns whether a patch has password fields only. */
export const isPasswordOnly = (body: unknown): boolean =>
  Predicate.isReadonlyObject(body) && Object.keys(body).every((key) => passwordFields.includes(key))

/**
 * A user can change its own password without a permission. To change other fields of its own record, it needs
 * `users:write`, and no password change must be due.
 * @rule USER-04
 */
export const judgeSelfPatch = (
  caller: Caller,
  user: UserId,
  body: unknown
): Result.Result<void, PermissionDenied | PasswordChangeRequired> => {
  if (!isSelf(caller, user)) return Result.void
  if (caller.must_change_password && !(isPasswordOnly(body) && Object.hasOwn(Object(body), "password"))) {
    return Result.fail(new PasswordChangeRequired())
  }
  return isPasswordOnly(body) || Caller.has(caller, "users:write")
    ? Result.void
    : Result.fail(new PermissionDenied())
}

/** Checks that the caller can change the user, and can assign the group and the partner in the patch. */
const judgePatch = (allowed: Allowed<"user:patch">, user: UserDetail, body: unknown) =>
  Result.gen(function*() {
    const { caller } = allowed
    const isOwn = isSelf(caller, user.user_id)
    if (!isOwn || !isPasswordOnly(body)) {
      yield* judgeGrant(allowed, user.group.group_id)
      yield* judgeNamedGrant(allowed, body)
    }
    if (!isOwn) yield* judgeAuthority(caller, user, body)
  })

/**
 * Patches a user in the caller's subtree, or the caller itself. The body is untrusted. `expected` is the precondition
 * on the stored user.
 */
export const updateUser = Effect.fnUntraced(function*(
  allowed: Allowed<"user:patch">,
  id: UserId,
  body: unknown,
  expected: Precondition<UserDetail> = anyState
) {
  const users = yield* UserRepository
  const { caller } = allowed
  const findPatchable = Effect.fnUntraced(function*(find: typeof users.find) {
    const user = yield* Effect.fromResult(judgeFound(yield* find(scopeOf(allowed), id)))
    yield* Effect.fromResult(judgePatch(allowed, user.record, body))
    yield* Effect.fromResult(judgePrecondition(user.record, expected))
    return user
  })
  yield* Effect.fromResult(judgeSelfPatch(caller, id, body))
  const password = yield* passwordChange(allowed, body, findPatchable(users.find))
  const update = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(caller.root_id, "shared")
    const user = yield* findPatchable(users.findForUpdate)
    const before = user.record
    const { change, owner, patched } = yield* Effect.fromResult(combineChecks({
      patched: patchUser(before, body),
      group: parseGroup(body),
      owner: yield* findReferencedPartner(scopeOf(allowed), body, ["partner_id"], before.partner_id),
      change: password
    }))
    const isPasswordReplaced = change?.hash !== undefined
    if (!patched.changed && !isPasswordReplaced) return before
    yield* refuseLastAdministrator(allowed, before, patched.next)
    const must_change_password = isPasswordReplaced ? !isSelf(caller, id) : before.must_change_password
    const at = yield* currentTimestamp
    yield* users.update(user, { ...patched.next, must_change_password }, owner)
    if (change !== undefined) yield* replacePassword(user, change)
    if (isPasswordReplaced || isDeactivation(before, patched.next)) {
      yield* (yield* RefreshTokenRepository).revokeUser(id, at)
    }
    const after = yield* Effect.fromResult(judgeFound(yield* users.find(scopeOf(allowed), id)))
    yield* recordChange({
      events: eventsOfUser(before, after.record),
      at,
      caller,
      action: isPasswordReplaced ? "user.password" : "user.update",
      subject_id: id,
      partner_id: after.record.partner_id,
      before,
      after: after.record
    })
    return after.record
  })
  return yield* (yield* UnitOfWork).atomically(update)
})

/**
 * Deactivating a user ends its sessions. They stay ended when the user is activated again. A simultaneous sign-in
 * starts no session that outlives the deactivation.
 * @rule USER-07
 */
export const isDeactivation = (before: Pick<UserDetail, "status">, after: Pick<UserDetail, "status">): boolean =>
  before.status === "ACTIVE" && after.status === "INACTIVE"

/**
 * Replaces the password, if the patch contains one. Fails if the stored hash has changed since it was verified before
 * the transaction.
 */
const replacePassword = Effect.fnUntraced(function*(user: InScope<UserDetail>, change: PasswordChange) {
  const users = yield* UserRepository
  if (change.verified !== undefined && change.verified !== (yield* users.passwordHash(user))) {
    return yield* new ValidationFailed({ problems: [passwordMismatch] })
  }
  if (change.hash !== undefined) yield* users.setPassword(user, change.hash)
})
