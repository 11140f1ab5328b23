import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { recordChange } from "../event/recordChange.ts"
import { type InScope, scopeOf } from "../hierarchy/Scope.ts"
import { runOnce, type SentKey } from "../idempotency/runOnce.ts"
import { combineChecks } from "../input/combineChecks.ts"
import { IdGenerator } from "../ports/generators.ts"
import { findOwner, type FoundOwner } from "../ports/PartnerTree.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { type PartnerId } from "../values/ids.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { parentPath } from "./newParent.ts"
import { parseNewPartner } from "./parseNewPartner.ts"
import { eventsOfPartner, type PartnerDetail } from "./PartnerDetail.ts"
import { PartnerRepository } from "./PartnerRepository.ts"
import { type CreatePartnerRequest } from "./PartnerRequests.ts"

/** Builds a new, active partner. The order of its fields is that of PartnerDetail. */
export const newPartner = (
  request: CreatePartnerRequest,
  facts: Pick<PartnerDetail, "partner_id" | "parent_id" | "created_at">
): PartnerDetail => ({
  partner_id: facts.partner_id,
  name: request.partner.name,
  status: "active",
  email: request.partner.email,
  phone: request.partner.phone,
  pix: request.pix ?? null,
  address: request.address ?? null,
  document_number: request.partner.document_number,
  person_type: request.partner.type,
  created_at: facts.created_at,
  parent_id: facts.parent_id,
  bank_account: request.bank_account ?? null,
  metadata: request.metadata ?? {}
})

/**
 * Creates a partner. Its parent must be in the caller's subtree. Default parent: the caller's own partner. The body is
 * untrusted.
 */
export const createPartner = Effect.fnUntraced(function*(
  allowed: Allowed<"partners:write">,
  body: unknown,
  key?: SentKey
) {
  const create = (found: FoundOwner) =>
    Effect.flatMap(
      Effect.fromResult(combineChecks({ request: parseNewPartner(body), parent: found })),
      ({ parent, request }) => insertPartner(allowed, request, parent)
    )
  const partners = yield* PartnerRepository
  const once = runOnce(allowed, key, {
    present: ({ partner_id }: Partial<PartnerDetail>) =>
      partner_id === undefined ? Effect.succeedNone : partners.find(scopeOf(allowed), partner_id),
    owner: ({ partner_id }: PartnerDetail) => partner_id,
    record: ({ partner_id }) => partner_id
  }, findOwner(allowed, body, parentPath))
  return yield* (yield* UnitOfWork).atomically(once(create))
})

const insertPartner = Effect.fnUntraced(function*(
  { caller }: Allowed<"partners:write">,
  request: CreatePartnerRequest,
  parent: InScope<PartnerId>
) {
  const at = yield* currentTimestamp
  const partner = newPartner(request, {
    partner_id: (yield* (yield* IdGenerator).next) as PartnerId,
    parent_id: parent.record,
    created_at: at
  })
  yield* (yield* PartnerRepository).insert(parent, partner)
  yield* recordChange({
    events: eventsOfPartner(null, partner),
    at,
    caller,
    action: "partner.create",
    subject_id: partner.partner_id,
    partner_id: partner.partner_id,
    after: partner
  })
  return partner
})
