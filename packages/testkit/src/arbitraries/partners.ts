import { type PartnerDetail, PartnerStatus } from "@lastro/domain/partner"
import {
  type DocumentNumber,
  maxMetadataKeyLength,
  maxMetadataKeys,
  type Metadata,
  orderedMetadata,
  type PartnerId,
  type PersonType,
  type Timestamp,
  timestampOf
} from "@lastro/domain/values"
import * as fc from "fast-check"
import { address, bankAccount, cnpj, cpf, email, personName, phone, pix } from "./documents.ts"
import { unicodeText } from "./paging.ts"

/**
 * Keys of metadata: often from a small set, sometimes names of the members of every JavaScript object, sometimes any
 * text.
 */
export const metadataKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("plan", "region", "crm_id") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "0", "10", "a.b", "ação", " ", "😀")
  },
  {
    weight: 1,
    arbitrary: unicodeText.map((text) =>
      Array.from(text.replace(/[\p{Cc}[\]]/gu, "")).slice(0, maxMetadataKeyLength).join("") || "key"
    )
  }
)

/** Values of metadata: often from a small set, sometimes any text. */
export const metadataValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("gold", "silver", "") },
  { weight: 1, arbitrary: unicodeText.map((text) => text.replaceAll("\0", "")) }
)

/** Valid metadata, mostly with few keys. */
export const metadata: fc.Arbitrary<Metadata> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 8, arbitrary: entriesOf(metadataKey, 4) },
  { weight: 1, arbitrary: entriesOf(fc.nat({ max: 200 }).map((index) => `key ${index}`), maxMetadataKeys) }
)

function entriesOf(key: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<Metadata> {
  return fc.array(fc.tuple(key, metadataValue), { maxLength }).map((entries) => orderedMetadata(new Map(entries)))
}

/** Times of this century with milliseconds, mostly from a small set, so that sorts have ties. */
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
).map(([identity, fields]) => ({ ...fields, ...identity }))

/** Valid partners of both person types, with and without a parent. */
export const partnerDetail: fc.Arbitrary<PartnerDetail> = fc.tuple(
  partnerFields,
  fc.record({ partner_id: partnerId, parent_id: fc.option(partnerId) })
).map(([fields, place]) => ({ ...fields, ...place }))

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

/**
 * The shape of a forest. Each element is the index of the parent, which comes earlier in the list, or `null` for a
 * root.
 */
export type ForestShape = readonly [null, ...Array<number | null>]

const shapeOf = (rest: ReadonlyArray<number | null>): ForestShape => [null, ...rest]

/** Trees in which each node is the only child of the previous node. */
const chains = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.map((others) => shapeOf(Array.from({ length: others }, (_, index) => index)))

/** Trees in which all nodes are children of the first node. */
const stars = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.map((others) => shapeOf(Array.from({ length: others }, () => 0)))

/** Trees in which each node is the child of a random earlier node. Most of these trees are shallow. */
const recursiveTrees = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.chain((others) =>
    fc.tuple(...Array.from({ length: others }, (_, index) => fc.nat({ max: index }))).map(shapeOf)
  )

/** Forests in which each node is a root, or the child of a random earlier node. */
const severalTrees = (length: fc.Arbitrary<number>): fc.Arbitrary<ForestShape> =>
  length.chain((others) => {
    // `freq: 3`: one node in four is a root.
    const parents = Array.from({ length: others }, (_, index) => fc.option(fc.nat({ max: index }), { freq: 3 }))
    return fc.tuple(...parents).map(shapeOf)
  })

/** Shapes of forests of 1 to `maxNodes` nodes: chains, stars, random recursive trees, and several trees. */
export const forestShape = (maxNodes = 12): fc.Arbitrary<ForestShape> => {
  const length = fc.nat({ max: maxNodes - 1 })
  return fc.oneof(
    chains(length),
    stars(length),
    { weight: 2, arbitrary: recursiveTrees(length) },
    { weight: 3, arbitrary: severalTrees(length) }
  )
}
