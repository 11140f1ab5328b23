import { foldText } from "@lastro/domain/input"
import { PartnerDetail, PartnerListItem } from "@lastro/domain/partner"
import { Schema } from "effect"

/** The columns of a partner in a list. */
export const partnerListColumns =
  "id as partner_id, name, status, email, phone, document_number, person_type, parent_id, created_at, metadata"

/** All columns of a partner. */
export const partnerColumns = `${partnerListColumns}, pix, address, bank_account`

/** Decodes a row into a list item. */
export const partnerListItemOf = Schema.decodeUnknownSync(
  PartnerListItem.mapFields((fields) => ({ ...fields, metadata: Schema.fromJsonString(fields.metadata) }))
)

/** Decodes a row into a partner. */
export const partnerOf = Schema.decodeUnknownSync(
  PartnerDetail.mapFields((fields) => ({
    ...fields,
    pix: Schema.fromJsonString(fields.pix),
    address: Schema.fromJsonString(fields.address),
    bank_account: Schema.fromJsonString(fields.bank_account),
    metadata: Schema.fromJsonString(fields.metadata)
  }))
)

/** Returns the column values of a partner's mutable fields, with their folded texts for search and order. */
export const changingValues = (partner: PartnerDetail) => ({
  status: partner.status,
  name: partner.name,
  name_folded: foldText(partner.name),
  email: partner.email,
  email_folded: foldText(partner.email),
  phone: partner.phone,
  pix: JSON.stringify(partner.pix),
  address: JSON.stringify(partner.address),
  bank_account: JSON.stringify(partner.bank_account),
  metadata: JSON.stringify(partner.metadata)
})
