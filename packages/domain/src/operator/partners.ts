import { Effect } from "effect"
import { recordChange } from "../event/recordChange.ts"
import { asOperator, judgeFound } from "../hierarchy/Scope.ts"
import { newPartner } from "../partner/CreatePartner.ts"
import { parseNewPartner } from "../partner/parseNewPartner.ts"
import { eventsOfPartner, type PartnerStatus } from "../partner/PartnerDetail.ts"
import { PartnerRepository } from "../partner/PartnerRepository.ts"
import { IdGenerator } from "../ports/generators.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"

/**
 * Creates the root of a new partner tree. For the operator only. The body is untrusted and has the form of
 * `createPartner`.
 */
export const createRootPartner = Effect.fn("createRootPartner")(function*(body: unknown) {
  const request = yield* Effect.fromResult(parseNewPartner(body))
  const create = Effect.gen(function*() {
    const at = yield* currentTimestamp
    const partner_id = (yield* (yield* IdGenerator).next) as PartnerId
    const partner = newPartner(request, { partner_id, parent_id: null, created_at: at })
    yield* (yield* PartnerRepository).insertRoot(asOperator.inScope(partner))
    yield* recordChange({
      events: eventsOfPartner(null, partner),
      at,
      caller: null,
      action: "partner.create",
      subject_id: partner_id,
      partner_id,
      after: partner
    })
    return partner
  })
  return yield* (yield* UnitOfWork).atomically(create)
})

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
    yield* recordChange({
      events: eventsOfPartner(before, after),
      at,
      caller: null,
      action,
      subject_id: id,
      partner_id: id,
      before,
      after
    })
    return after
  })
  return yield* (yield* UnitOfWork).atomically(change)
})
