import { type PartnerDetail } from "@lastro/domain"
import { Effect } from "effect"
import { aPartner, type PartnerFields } from "./aPartner.ts"
import { insertPartner } from "./insertPartner.ts"

/** Adds the root of a new tree, as the operator. */
export const givenRoot = Effect.fnUntraced(function*(fields: PartnerFields = {}) {
  return yield* Effect.orDie(insertPartner(yield* aPartner({ ...fields, parent_id: null })))
})

/** Adds a partner below another, as the operator. */
export const givenChild = Effect.fnUntraced(function*(
  { partner_id: parent_id }: PartnerDetail,
  fields: PartnerFields = {}
) {
  return yield* Effect.orDie(insertPartner(yield* aPartner({ ...fields, parent_id })))
})
