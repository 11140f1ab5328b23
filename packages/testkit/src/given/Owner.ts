import { type PartnerId } from "@lastro/domain"

/** A partner, by its record or by its id. */
export type Owner = string | { readonly partner_id: string }

/** The id of a partner. */
export const partnerIdOf = (owner: Owner): PartnerId =>
  (typeof owner === "string" ? owner : owner.partner_id) as PartnerId
