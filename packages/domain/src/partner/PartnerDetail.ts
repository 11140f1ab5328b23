import { Schema } from "effect"
import { Address } from "../documents/Address.ts"
import { BankAccount } from "../documents/BankAccount.ts"
import { PersonType } from "../documents/PersonType.ts"
import { Pix } from "../documents/Pix.ts"
import { PartnerId } from "../id/PartnerId.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** An inactive partner blocks its whole subtree. */
export const PartnerStatus = Schema.Literals(["active", "inactive"])
export type PartnerStatus = typeof PartnerStatus.Type

/** A partner as a list shows it. */
export const PartnerListItem = Schema.Struct({
  partner_id: PartnerId,
  name: Schema.String,
  status: PartnerStatus,
  email: Schema.String,
  phone: Schema.String,
  /** CPF (11 digits) of a natural person, CNPJ (14 characters) of a legal one. */
  document_number: Schema.String,
  person_type: PersonType,
  /** Null for a root. */
  parent_id: Schema.NullOr(PartnerId),
  created_at: Timestamp
}).annotate({ identifier: "PartnerListItem" })
export type PartnerListItem = typeof PartnerListItem.Type

/** A partner, whole. */
export const PartnerDetail = Schema.Struct({
  partner_id: PartnerId,
  name: Schema.String,
  status: PartnerStatus,
  email: Schema.String,
  phone: Schema.String,
  pix: Schema.NullOr(Pix),
  address: Schema.NullOr(Address),
  document_number: Schema.String,
  person_type: PersonType,
  created_at: Timestamp,
  parent_id: Schema.NullOr(PartnerId),
  bank_account: Schema.NullOr(BankAccount)
}).annotate({ identifier: "PartnerDetail" })
export type PartnerDetail = typeof PartnerDetail.Type

/** What a list shows of a partner. */
export const partnerListItem = (partner: PartnerDetail): PartnerListItem => ({
  partner_id: partner.partner_id,
  name: partner.name,
  status: partner.status,
  email: partner.email,
  phone: partner.phone,
  document_number: partner.document_number,
  person_type: partner.person_type,
  parent_id: partner.parent_id,
  created_at: partner.created_at
})
