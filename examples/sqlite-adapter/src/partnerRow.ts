import { fold, PartnerDetail, PartnerListItem } from "@lastro/domain"
import { Schema } from "effect"

/** The columns of a partner as a list shows it. */
export const partnerListColumns =
  "id as partner_id, name, status, email, phone, document_number, person_type, parent_id, created_at"

/** The columns of a whole partner. */
export const partnerColumns = `${partnerListColumns}, pix, address, bank_account`

/** The list item that a row holds. */
export const partnerListItemOf = Schema.decodeUnknownSync(PartnerListItem)

/** The partner that a row holds. */
export const partnerOf = Schema.decodeUnknownSync(
  PartnerDetail.mapFields((fields) => ({
    ...fields,
    pix: Schema.fromJsonString(fields.pix),
    address: Schema.fromJsonString(fields.address),
    bank_account: Schema.fromJsonString(fields.bank_account)
  }))
)

/** The columns that the fields of a partner that can change fill, with what they are searched and sorted by. */
export const changingValues = (partner: PartnerDetail) => ({
  status: partner.status,
  name: partner.name,
  name_folded: fold(partner.name),
  email: partner.email,
  email_folded: fold(partner.email),
  phone: partner.phone,
  pix: JSON.stringify(partner.pix),
  address: JSON.stringify(partner.address),
  bank_account: JSON.stringify(partner.bank_account)
})
