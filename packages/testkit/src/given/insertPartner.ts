import { asOperator, type PartnerDetail, PartnerRepository } from "@lastro/domain"
import { Effect } from "effect"

/** Adds a partner below its parent, or as the root of a new tree, as the operator. */
export const insertPartner = Effect.fnUntraced(function*(partner: PartnerDetail) {
  const partners = yield* PartnerRepository
  yield* partner.parent_id === null
    ? partners.insertRoot(asOperator.inScope(partner))
    : partners.insert(asOperator.inScope(partner.parent_id), partner)
  return partner
})
