import { foldText } from "@lastro/domain/input"
import { type PartnerDetail, type PartnerListItem, type PartnerStatus } from "@lastro/domain/partner"
import { Address, BankAccount, type Metadata, type PartnerId, type PersonType, type Pix } from "@lastro/domain/values"
import { Struct } from "effect"
import { toJson, toTimestamp } from "../database/columnValues.ts"

interface PartnerListRow {
  readonly partner_id: PartnerId
  readonly name: string
  readonly status: PartnerStatus
  readonly email: string
  readonly phone: string
  readonly document_number: string
  readonly person_type: PersonType
  readonly parent_id: PartnerId | null
  readonly created_at: Date
  readonly metadata: Metadata
}

/** A row with all fields of a partner. */
export interface PartnerRow extends PartnerListRow {
  readonly pix: Pix | null
  readonly address: Address | null
  readonly bank_account: BankAccount | null
}

/** The columns of a {@link PartnerListRow}. The table alias is `item`. */
export const partnerListColumns =
  "item.id as partner_id, item.name, item.status, item.email, item.phone, item.document_number, item.person_type, " +
  "item.parent_id, item.created_at, item.metadata"

/** The columns of a {@link PartnerRow}. The table alias is `item`. */
export const partnerColumns = `${partnerListColumns}, item.pix, item.address, item.bank_account`

/** Returns a function that restores the key order of a schema, which `jsonb` does not keep. */
const orderBy = <A extends object>(fields: Readonly<Record<keyof A, unknown>>) => {
  const names = Struct.keys(fields)
  return (stored: A | null): A | null => {
    if (stored === null) return null
    const ordered: Partial<A> = {}
    for (const name of names) ordered[name] = stored[name]
    return ordered as A
  }
}

const orderAddress = orderBy<Address>(Address.fields)
const orderBankAccount = orderBy<BankAccount>(BankAccount.fields)

export const partnerListItemOf = (row: PartnerListRow): PartnerListItem => ({
  partner_id: row.partner_id,
  name: row.name,
  status: row.status,
  email: row.email,
  phone: row.phone,
  document_number: row.document_number,
  person_type: row.person_type,
  parent_id: row.parent_id,
  created_at: toTimestamp(row.created_at),
  metadata: row.metadata
})

export const partnerOf = (row: PartnerRow): PartnerDetail => ({
  partner_id: row.partner_id,
  name: row.name,
  status: row.status,
  email: row.email,
  phone: row.phone,
  pix: row.pix === null ? null : { key: row.pix.key, type: row.pix.type },
  address: orderAddress(row.address),
  document_number: row.document_number,
  person_type: row.person_type,
  created_at: toTimestamp(row.created_at),
  parent_id: row.parent_id,
  bank_account: orderBankAccount(row.bank_account),
  metadata: row.metadata
})

/**
 * Returns the column values of a partner's mutable fields. The texts for search and sorting are in lower case, without
 * accents.
 */
export const mutablePartnerValues = (
  partner: PartnerDetail
): Readonly<Record<typeof mutablePartnerColumns[number], string | null>> => ({
  status: partner.status,
  name: partner.name,
  name_folded: foldText(partner.name),
  email: partner.email,
  email_folded: foldText(partner.email),
  phone: partner.phone,
  pix: toJson(partner.pix),
  address: toJson(partner.address),
  bank_account: toJson(partner.bank_account),
  metadata: JSON.stringify(partner.metadata)
})

/** The columns of a partner's mutable fields. */
export const mutablePartnerColumns = [
  "status",
  "name",
  "name_folded",
  "email",
  "email_folded",
  "phone",
  "pix",
  "address",
  "bank_account",
  "metadata"
] as const

/** Returns all column values of a partner except its position in the tree. */
export const partnerValues = (partner: PartnerDetail) => ({
  ...mutablePartnerValues(partner),
  person_type: partner.person_type,
  document_number: partner.document_number,
  created_at: partner.created_at
})
