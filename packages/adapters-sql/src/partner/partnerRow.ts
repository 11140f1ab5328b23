import {
  Address,
  BankAccount,
  fold,
  type PartnerDetail,
  type PartnerId,
  type PartnerListItem,
  type PartnerStatus,
  type PersonType,
  type Pix
} from "@lastro/domain"
import { timestamp } from "../database/timestamps.ts"

/** A partner as a list query reads it. */
export interface PartnerListRow {
  readonly partner_id: PartnerId
  readonly name: string
  readonly status: PartnerStatus
  readonly email: string
  readonly phone: string
  readonly document_number: string
  readonly person_type: PersonType
  readonly parent_id: PartnerId | null
  readonly created_at: Date
}

/** A partner as it is read whole. */
export interface PartnerRow extends PartnerListRow {
  readonly pix: Pix | null
  readonly address: Address | null
  readonly bank_account: BankAccount | null
}

/** The columns of a {@link PartnerListRow}, of the table `partner item`. */
export const partnerListColumns =
  "item.id as partner_id, item.name, item.status, item.email, item.phone, item.document_number, item.person_type, " +
  "item.parent_id, item.created_at"

/** The columns of a {@link PartnerRow}, of the table `partner item`. */
export const partnerColumns = `${partnerListColumns}, item.pix, item.address, item.bank_account`

/** jsonb forgets the order of fields: they are put back into the order of their schema, so that records always look alike. */
const inOrder = <A extends object>(fields: object, stored: A | null): A | null =>
  stored === null
    ? null
    : Object.fromEntries(Object.keys(fields).map((field) => [field, stored[field as keyof A]])) as A

/** The list item a row holds. */
export const partnerListItemOf = (row: PartnerListRow): PartnerListItem => ({
  partner_id: row.partner_id,
  name: row.name,
  status: row.status,
  email: row.email,
  phone: row.phone,
  document_number: row.document_number,
  person_type: row.person_type,
  parent_id: row.parent_id,
  created_at: timestamp(row.created_at)
})

/** The partner a row holds. */
export const partnerOf = (row: PartnerRow): PartnerDetail => ({
  partner_id: row.partner_id,
  name: row.name,
  status: row.status,
  email: row.email,
  phone: row.phone,
  pix: row.pix === null ? null : { key: row.pix.key, type: row.pix.type },
  address: inOrder(Address.fields, row.address),
  document_number: row.document_number,
  person_type: row.person_type,
  created_at: timestamp(row.created_at),
  parent_id: row.parent_id,
  bank_account: inOrder(BankAccount.fields, row.bank_account)
})

const json = (value: object | null): string | null => value === null ? null : JSON.stringify(value)

/** The columns that the fields of a partner that can change fill, with what they are searched and sorted by. */
export const changingPartnerValues = (partner: PartnerDetail) => ({
  status: partner.status,
  name: partner.name,
  name_folded: fold(partner.name),
  email: partner.email,
  email_folded: fold(partner.email),
  phone: partner.phone,
  pix: json(partner.pix),
  address: json(partner.address),
  bank_account: json(partner.bank_account)
})

/** The columns that a partner's own fields fill; not its place in the tree. */
export const partnerValues = (partner: PartnerDetail) => ({
  ...changingPartnerValues(partner),
  person_type: partner.person_type,
  document_number: partner.document_number,
  created_at: partner.created_at
})
