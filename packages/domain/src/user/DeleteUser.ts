import { Effect, Result } from "effect"
import { type Allowed, SelfDelete } from "../access/Authorization.ts"
import { type Caller, isSelf } from "../access/Caller.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { RefreshTokenRepository } from "../identity/RefreshToken.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type UserId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { judgeGrant } from "./judgeGroup.ts"
import { refuseLastAdministrator } from "./lastAdministrator.ts"
import { eventsOfUser, type UserDetail } from "./UserDetail.ts"
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
    yield* refuseLastAdministrator(allowed, before, null)
    const at = yield* currentTimestamp
    yield* users.remove(user, at)
    yield* (yield* RefreshTokenRepository).revokeUser(id, at)
    yield* recordChange({
      events: eventsOfUser(before, null),
      at,
      caller,
      action: "user.delete",
      subject_id: id,
      partner_id: before.partner_id,
      before
    })
  })
  yield* (yield* UnitOfWork).atomically(remove)
})
