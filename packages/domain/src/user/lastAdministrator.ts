import { Effect, Result } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { Refusal } from "../input/Refusal.ts"
import { PartnerRepository } from "../partner/PartnerRepository.ts"
import { type UserDetail } from "./UserDetail.ts"
import { UserRepository } from "./UserRepository.ts"

/** The user is the last active administrator of the caller's partner, and would lose this role. */
export class LastAdministrator extends Refusal(
  "LastAdministrator",
  "This user is the last active administrator of your partner. Make another user an administrator first."
) {}

type Role = Pick<UserDetail, "group" | "partner_id" | "status">

const isAdministrator = ({ group, status }: Role): boolean => group.slug === "admin" && status === "ACTIVE"

/** Returns whether an active administrator of a partner loses this role by a change. `after` is null for a deletion. */
const endsRole = (before: Role, after: Role | null): boolean => {
  const isKept = after !== null && isAdministrator(after) && after.partner_id === before.partner_id
  return isAdministrator(before) && !isKept
}

/**
 * A caller cannot remove the last active administrator of its own partner: by deactivation, deletion, another group or
 * a move to another partner. This applies to every caller of the partner: the user itself, other users and API clients.
 * A caller of a partner above can. No partner is above a root, so a root always keeps an administrator. `count` is the
 * number of active administrators of the partner before the change.
 * @rule USER-08
 */
export const judgeLastAdministrator = (
  caller: Pick<Caller, "partner_id">,
  before: Role,
  after: Role | null,
  count: number
): Result.Result<void, LastAdministrator> =>
  caller.partner_id === before.partner_id && count < 2 && endsRole(before, after)
    ? Result.fail(new LastAdministrator())
    : Result.void

/**
 * Applies {@link judgeLastAdministrator} to a change of a locked user, in the transaction of the change. Such changes
 * of one partner run one after another, because each locks the partner before it counts the administrators.
 */
export const refuseLastAdministrator = Effect.fnUntraced(function*(
  allowed: Allowed<"user:patch" | "users:write">,
  before: UserDetail,
  after: Role | null
) {
  const { caller } = allowed
  const { partner_id } = caller
  if (partner_id !== before.partner_id || !endsRole(before, after)) return
  const scope = scopeOf(allowed)
  yield* Effect.fromResult(judgeFound(yield* (yield* PartnerRepository).findForUpdate(scope, partner_id)))
  const administrators = (yield* UserRepository).list(scope, {
    filters: { group: "admin", status: "ACTIVE", partner_id },
    page: { number: 0, size: 1 },
    sort: [{ property: "created_at", direction: "asc" }]
  })
  const { total } = yield* Effect.orDie(administrators)
  yield* Effect.fromResult(judgeLastAdministrator(caller, before, after, total))
})
