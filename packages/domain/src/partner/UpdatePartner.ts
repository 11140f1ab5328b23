import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { recordChange } from "../event/recordChange.ts"
import { judgeFound, scopeOf } from "../hierarchy/Scope.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { anyState, judgePrecondition, type Precondition } from "../input/Precondition.ts"
import { PartnerTree } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { mentionsParent, newParent } from "./newParent.ts"
import { eventsOfPartner, type PartnerDetail } from "./PartnerDetail.ts"
import { PartnerRepository } from "./PartnerRepository.ts"
import { judgeStatusChange, patchPartner } from "./patchPartner.ts"

/**
 * Patches a partner in the caller's subtree. If the patch changes the parent, the partner moves with its whole subtree.
 * The body is untrusted. `expected` is the precondition on the stored partner.
 */
export const updatePartner = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  id: PartnerId,
  body: unknown,
  expected: Precondition<PartnerDetail> = anyState
) {
  const partners = yield* PartnerRepository
  const tree = yield* PartnerTree
  const { caller } = allowed
  const update = Effect.gen(function*() {
    yield* tree.lock(caller.root_id, mentionsParent(body) ? "exclusive" : "shared")
    const partner = yield* Effect.fromResult(judgeFound(yield* partners.findForUpdate(scopeOf(allowed), id)))
    const before = partner.record
    yield* Effect.fromResult(judgeStatusChange(caller, before, body))
    const judgedParent = yield* newParent(allowed, partner, body)
    yield* Effect.fromResult(judgePrecondition(before, expected))
    const { parent, patched: { changed, next } } = yield* Effect.fromResult(combineChecks({
      parent: judgedParent,
      patched: patchPartner(before, body)
    }))
    if (!changed) return before
    yield* partners.update(partner, next)
    if (parent !== undefined) yield* tree.move(partner, parent)
    const at = yield* currentTimestamp
    yield* recordChange({
      events: eventsOfPartner(before, next),
      at,
      caller,
      action: "partner.update",
      subject_id: id,
      partner_id: id,
      before,
      after: next
    })
    return next
  })
  return yield* (yield* UnitOfWork).atomically(update)
})
