import { Effect } from "effect"
import { recordAudit } from "../audit/recordAudit.ts"
import { asOperator, judgeFound } from "../hierarchy/Scope.ts"
import { type PartnerStatus } from "../partner/PartnerDetail.ts"
import { PartnerRepository } from "../partner/PartnerRepository.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"

/**
 * Activates or deactivates a partner. While a partner is inactive, nobody in its subtree can sign in or use a token.
 * For the operator only.
 */
export const setPartnerStatus = Effect.fn("setPartnerStatus")(function*(id: PartnerId, status: PartnerStatus) {
  const partners = yield* PartnerRepository
  const change = Effect.gen(function*() {
    const partner = yield* Effect.fromResult(judgeFound(yield* partners.findForUpdate(asOperator.scope(id), id)))
    const before = partner.record
    if (before.status === status) return before
    const after = { ...before, status }
    yield* partners.update(partner, after)
    const at = yield* currentTimestamp
    const action = status === "active" ? "partner.activate" : "partner.deactivate"
    yield* recordAudit({ at, caller: null, action, subject_id: id, partner_id: id, before, after })
    return after
  })
  return yield* (yield* UnitOfWork).atomically(change)
})
