import { Effect } from "effect"
import { audited } from "../audit/audited.ts"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { referencedPartner } from "../hierarchy/referencedPartner.ts"
import { type InScope, judge, scopeOf } from "../hierarchy/Scope.ts"
import { type UserId } from "../id/UserId.ts"
import { type Allowed } from "../identity/Authorization.ts"
import { isSelf } from "../identity/Caller.ts"
import { now } from "../time/Timestamp.ts"
import { RefreshTokenRepository } from "../token/RefreshToken.ts"
import { anyState, judgePrecondition, type Precondition } from "../transaction/Precondition.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"
import { ValidationFailed } from "../validation/FieldProblem.ts"
import { together } from "../validation/together.ts"
import { judgeGrant, judgeNamedGrant, namedGroup } from "./judgeGroup.ts"
import { isPasswordOnly, judgeSelfPatch } from "./judgeSelfPatch.ts"
import { mismatch, type PasswordChange, passwordChange } from "./passwordChange.ts"
import { patchUser } from "./patchUser.ts"
import { type UserDetail } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"

/**
 * Patches a user in the caller's subtree, or the caller itself. The body is untrusted, and `expected` is the precondition on the stored
 * state.
 */
export const updateUser = Effect.fn("updateUser")(function*(
  allowed: Allowed<"user:patch">,
  id: UserId,
  body: unknown,
  expected: Precondition<UserDetail> = anyState
) {
  const users = yield* UserRepository
  const { caller } = allowed
  const judged = Effect.fnUntraced(function*(find: typeof users.find) {
    const user = yield* Effect.fromResult(judge(yield* find(scopeOf(allowed), id)))
    if (!(isSelf(caller, id) && isPasswordOnly(body))) {
      yield* Effect.fromResult(judgeGrant(allowed, user.record.group.group_id))
      yield* Effect.fromResult(judgeNamedGrant(allowed, body))
    }
    yield* Effect.fromResult(judgePrecondition(user.record, expected))
    return user
  })
  yield* Effect.fromResult(judgeSelfPatch(caller, id, body))
  const password = yield* passwordChange(caller, body, judged(users.find))
  const update = Effect.gen(function*() {
    yield* (yield* PartnerTree).hold(caller.root_id, "shared")
    const user = yield* judged(users.findForUpdate)
    const before = user.record
    const { change, owner, patched } = yield* Effect.fromResult(together({
      patched: patchUser(before, body),
      group: namedGroup(body),
      owner: yield* referencedPartner(scopeOf(allowed), body, ["partner_id"], before.partner_id),
      change: password
    }))
    if (!patched.changed && change === undefined) return before
    const must_change_password = change === undefined ? before.must_change_password : !isSelf(caller, id)
    const at = yield* now
    yield* users.update(user, { ...patched.next, must_change_password }, owner)
    if (change !== undefined) yield* replacePassword(user, change)
    if (change !== undefined || isDeactivation(before, patched.next)) {
      yield* (yield* RefreshTokenRepository).revokeUser(id, at)
    }
    const after = yield* Effect.fromResult(judge(yield* users.find(scopeOf(allowed), id)))
    yield* audited({
      at,
      caller,
      action: change === undefined ? "user.update" : "user.password",
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
 * Deactivating a user ends its sessions. Activating it again does not revive them.
 * @rule USER-07
 */
export const isDeactivation = (before: Pick<UserDetail, "status">, after: Pick<UserDetail, "status">): boolean =>
  before.status === "ACTIVE" && after.status === "INACTIVE"

/** Replaces the password if the stored hash is still the one that was verified before the transaction. */
const replacePassword = Effect.fnUntraced(function*(user: InScope<UserDetail>, change: PasswordChange) {
  const users = yield* UserRepository
  if (change.verified !== undefined && change.verified !== (yield* users.passwordHash(user))) {
    return yield* new ValidationFailed({ problems: [mismatch] })
  }
  yield* users.setPassword(user, change.hash)
})
