import { type PartnerDetail, type PartnerListItem, partnerListItem, PartnerStatus } from "@lastro/domain/partner"
import {
  type DocumentNumber,
  type PartnerId,
  type PersonType,
  type Timestamp,
  timestampOf
} from "@lastro/domain/values"
import * as fc from "fast-check"
import { address, bankAccount, cnpj, cpf, email, personName, phone, pix } from "./documents.ts"
import { metadata } from "./metadata.ts"

/** Instants of this century with millisecond precision, mostly from a small set, so that sorts have ties. */
export const timestamp: fc.Arbitrary<Timestamp> = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 3 }).map((days) => timestampOf(Date.UTC(2026, 0, 28 + days, 12))) },
  { weight: 1, arbitrary: fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2099, 11) }).map(timestampOf) }
)

/** A person type with a document of that type. */
export const identity: fc.Arbitrary<{ readonly person_type: PersonType; readonly document_number: DocumentNumber }> = fc
  .oneof(
    fc.record({ person_type: fc.constant("pf" as const), document_number: cpf }),
    fc.record({ person_type: fc.constant("pj" as const), document_number: cnpj })
  )

/** Partner ids (UUIDv7). */
export const partnerId: fc.Arbitrary<PartnerId> = fc.uuid({ version: 7 }).map((id) => id as PartnerId)

/** All fields of a partner except its id and its parent. */
export const partnerFields: fc.Arbitrary<Omit<PartnerDetail, "partner_id" | "parent_id">> = fc.tuple(
  identity,
  fc.record({
    name: personName,
    status: fc.constantFrom(...PartnerStatus.literals),
    email,
    phone,
    pix: fc.option(pix),
    address: fc.option(address),
    created_at: timestamp,
    bank_account: fc.option(bankAccount),
    metadata
  })
).map(([one, fields]) => ({ ...fields, ...one }))

/** Valid partners of both person types, with and without a parent. */
export const partnerDetail: fc.Arbitrary<PartnerDetail> = fc.tuple(
  partnerFields,
  fc.record({ partner_id: partnerId, parent_id: fc.option(partnerId) })
).map(([fields, place]) => ({ ...fields, ...place }))

/** Valid partners as list items. */
export const partnerListItemView: fc.Arbitrary<PartnerListItem> = partnerDetail.map(partnerListItem)

/** Valid request bodies that create a partner, in canonical form. Optional field groups can be absent. */
export const createPartnerBody = fc.record({
  partner: fc.tuple(
    identity,
    fc.record({ name: personName, email, phone, parent_uuid: partnerId }, { requiredKeys: ["name", "email", "phone"] })
  ).map(([{ document_number, person_type }, fields]) => ({ type: person_type, document_number, ...fields })),
  pix,
  address,
  bank_account: bankAccount,
  metadata
}, { requiredKeys: ["partner"] })
