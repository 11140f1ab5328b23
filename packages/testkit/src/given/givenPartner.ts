import { asOperator, type PartnerDetail, PartnerRepository } from "@lastro/domain"
import { Effect } from "effect"
import { aPartner, type PartnerFields } from "./aPartner.ts"

/** Adds the root of a new tree, as the operator. */
export const givenRoot = Effect.fnUntraced(function*(fields: PartnerFields = {}) {
  const partner = yield* aPartner({ ...fields, parent_id: null })
  yield* Effect.orDie((yield* PartnerRepository).insertRoot(asOperator.inScope(partner)))
  return partner
})

/** Adds a partner below another, as the operator. */
export const givenChild = Effect.fnUntraced(function*(
  { partner_id: parent_id }: PartnerDetail,
  fields: PartnerFields = {}
) {
  const partner = yield* aPartner({ ...fields, parent_id })
  yield* Effect.orDie((yield* PartnerRepository).insert(asOperator.inScope(parent_id), partner))
  return partner
})
