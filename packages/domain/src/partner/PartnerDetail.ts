import { Schema } from "effect"
import { type EventType, type NewEvent } from "../event/DomainEvent.ts"
import { field } from "../input/field.ts"
import { isSame } from "../input/json.ts"
import { Address } from "../values/Address.ts"
import { BankAccount } from "../values/BankAccount.ts"
import { PersonType } from "../values/DocumentNumber.ts"
import { PartnerId } from "../values/ids.ts"
import { metadataField } from "../values/Metadata.ts"
import { Pix } from "../values/Pix.ts"
import { Timestamp } from "../values/Timestamp.ts"

/**
 * The status of a partner. While it is inactive, the users and API clients of its whole subtree cannot sign in or use a
 * token.
 */
export const PartnerStatus = Schema.Literals(["active", "inactive"]).annotate({
  description: "Status. While a partner is inactive, nobody in its subtree can sign in or use a token."
})
export type PartnerStatus = typeof PartnerStatus.Type

const item = {
  partner_id: PartnerId,
  name: field(Schema.String, "Name, 2 to 120 characters", "Correspondente Paulista Ltda"),
  status: PartnerStatus,
  email: field(Schema.String, "E-mail address", "contato@paulista.example"),
  phone: field(Schema.String, "Phone number: area code and 8 or 9 digits", "1133334444"),
  document_number: field(
    Schema.String,
    "CPF (11 digits) of a natural person, CNPJ (14 characters) of a legal entity",
    "11222333000181"
  ),
  person_type: field(
    PersonType,
    "`pf`: natural person, identified by CPF. `pj`: legal entity, identified by CNPJ.",
    "pj"
  ),
  parent_id: field(
    Schema.NullOr(PartnerId),
    "The parent partner's id; null for a root",
    "0197f3a2-4a0b-7c2d-9e3f-8a9b0c1d2e3f"
  ),
  created_at: field(Timestamp, "When the record was created"),
  metadata: metadataField
}

/** A partner as it appears in a list. */
export const PartnerListItem = Schema.Struct(item).annotate({
  identifier: "PartnerListItem",
  description: "A partner in a list"
})
export interface PartnerListItem extends Schema.Schema.Type<typeof PartnerListItem> {}

const detail = {
  partner_id: item.partner_id,
  name: item.name,
  status: item.status,
  email: item.email,
  phone: item.phone,
  pix: field(Schema.NullOr(Pix), "PIX key"),
  address: field(Schema.NullOr(Address), "Postal address"),
  document_number: item.document_number,
  person_type: item.person_type,
  created_at: item.created_at,
  parent_id: item.parent_id,
  bank_account: field(Schema.NullOr(BankAccount), "Bank account"),
  metadata: item.metadata
}

/** A partner with all its fields. */
export const PartnerDetail = Schema.Struct(detail)
export interface PartnerDetail extends Schema.Schema.Type<typeof PartnerDetail> {}

/** A partner in a response. An empty `metadata` is absent. */
export const PartnerDetailBody = Schema.Struct({ ...detail, metadata: Schema.optionalKey(item.metadata) }).annotate({
  identifier: "PartnerDetail",
  description: "A partner with all its fields. `metadata` is absent while it is empty."
})

/** Returns the fields of a partner that lists contain. */
export const partnerListItem = (partner: PartnerDetail): PartnerListItem => ({
  partner_id: partner.partner_id,
  name: partner.name,
  status: partner.status,
  email: partner.email,
  phone: partner.phone,
  document_number: partner.document_number,
  person_type: partner.person_type,
  parent_id: partner.parent_id,
  created_at: partner.created_at,
  metadata: partner.metadata
})

/**
 * A change of a partner appends one event for each of its effects: the partner was created or deleted, it moved, it was
 * activated or deactivated, or other fields changed.
 * @rule EVENT-02
 */
export const eventsOfPartner = (
  before: PartnerDetail | null,
  after: PartnerDetail | null
): ReadonlyArray<NewEvent> => {
  const partner = after ?? before
  if (partner === null) return []
  const happened = (type: EventType): NewEvent => ({
    type,
    subject: { kind: "partner", id: partner.partner_id, version: null },
    data: { partner_id: partner.partner_id, parent_id: partner.parent_id, status: partner.status }
  })
  if (before === null) return [happened("partner.created")]
  if (after === null) return [happened("partner.deleted")]
  const { parent_id, status } = after
  return [
    ...(before.parent_id === parent_id ? [] : [happened("partner.moved")]),
    ...(before.status === status ? [] : [happened(`partner.${status === "active" ? "activated" : "deactivated"}`)]),
    ...(isSame({ ...before, parent_id, status }, after) ? [] : [happened("partner.updated")])
  ]
}
