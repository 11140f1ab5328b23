import { Effect, Result } from "effect"
import { recordAudit } from "../audit/recordAudit.ts"
import { PartnerTree } from "../hierarchy/PartnerTree.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { type UserId } from "../id/ids.ts"
import { type Allowed, SelfDelete } from "../identity/Authorization.ts"
import { type Caller, isSelf } from "../identity/Caller.ts"
import { currentTimestamp } from "../time/Timestamp.ts"
import { RefreshTokenRepository } from "../token/RefreshToken.ts"
import { anyState, judgePrecondition, type Precondition } from "../transaction/Precondition.ts"
import { UnitOfWork } from "../transaction/UnitOfWork.ts"
import { judgeGrant } from "./judgeGroup.ts"
import { type UserDetail } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"

/**
 * A user cannot delete itself.
 * @rule USER-05
 */
export const judgeUserDelete = (caller: Caller, user: UserId): Result.Result<void, SelfDelete> =>
  isSelf(caller, user) ? Result.fail(new SelfDelete()) : Result.void

/** Deletes a user in the caller's subtree and ends its sessions. `expected` is the precondition on the stored user. */
export const deleteUser = Effect.fnUntraced(function*(
  allowed: Allowed<"users:write">,
  id: UserId,
  expected: Precondition<UserDetail> = anyState
) {
  const users = yield* UserRepository
  const { caller } = allowed
  const remove = Effect.gen(function*() {
    yield* (yield* PartnerTree).lock(caller.root_id, "shared")
    const user = yield* Effect.fromResult(judgeFound(yield* users.findForUpdate(scopeOf(allowed), id)))
    const before = user.record
    if (!isSelf(caller, id)) yield* Effect.fromResult(judgeGrant(allowed, before.group.group_id))
    yield* Effect.fromResult(judgePrecondition(before, expected))
    yield* Effect.fromResult(judgeUserDelete(caller, id))
    const at = yield* currentTimestamp
    yield* users.remove(user, at)
    yield* (yield* RefreshTokenRepository).revokeUser(id, at)
    yield* recordAudit({ at, caller, action: "user.delete", subject_id: id, partner_id: before.partner_id, before })
  })
  yield* (yield* UnitOfWork).atomically(remove)
})
