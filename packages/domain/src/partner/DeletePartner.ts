import { Effect, Result } from "effect"
import { type Allowed, SelfDelete } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { eventsOfPartner, type PartnerDetail } from "./PartnerDetail.ts"
import { type Dependents, PartnerHasDependents, PartnerRepository } from "./PartnerRepository.ts"

/**
 * A partner can be deleted only if nothing depends on it. It must have no children, users or unfinished applications.
 * Its unpaid commissions must add up to 0, and it must not earn a commission of a contract in progress. A caller cannot
 * delete its own partner.
 * @rule PARTNER-04
 */
export const judgePartnerDelete = (
  caller: Caller,
  partner: PartnerId,
  { applications, children, open_commissions, unpaid_commissions, users }: Dependents
): Result.Result<void, SelfDelete | PartnerHasDependents> => {
  if (partner === caller.partner_id) return Result.fail(new SelfDelete())
  const has_commissions = unpaid_commissions !== 0 || open_commissions > 0
  return children + users + applications > 0 || has_commissions
    ? Result.fail(new PartnerHasDependents({ applications, children, has_commissions, users }))
    : Result.void
}

/** Deletes a partner in the caller's subtree. `expected` is the precondition on the stored partner. */
export const deletePartner = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  id: PartnerId,
  expected: Precondition<PartnerDetail> = anyState
) {
  const partners = yield* PartnerRepository
  const tree = yield* PartnerTree
  const { caller } = allowed
  const remove = Effect.gen(function*() {
    yield* tree.lock(caller.root_id, "exclusive")
    const partner = yield* Effect.fromResult(judgeFound(yield* partners.findForUpdate(scopeOf(allowed), id)))
    yield* Effect.fromResult(judgePrecondition(partner.record, expected))
    yield* Effect.fromResult(judgePartnerDelete(caller, id, yield* partners.dependents(partner)))
    const at = yield* currentTimestamp
    yield* partners.remove(partner, at)
    yield* recordChange({
      events: eventsOfPartner(partner.record, null),
      at,
      caller,
      action: "partner.delete",
      subject_id: id,
      partner_id: id,
      before: partner.record
    })
  })
  yield* (yield* UnitOfWork).atomically(remove)
})
