import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import { foldText, type ListQuery } from "@lastro/domain/input"
import {
  type PartnerDetail,
  type PartnerFilters,
  type PartnerListItem,
  partnerListItem,
  PartnerRepository,
  type PartnerSortField,
  partnerSortFields,
  PartnerStatus
} from "@lastro/domain/partner"
import { PersonType } from "@lastro/domain/values"
import { Effect, identity, Stream } from "effect"
import * as fc from "fast-check"
import { forestShape, partnerFields } from "../../arbitraries/partners.ts"
import { type PartnerFields } from "../../builders/aPartner.ts"
import { storeChildPartner, storeForest } from "../../builders/storedRecords.ts"
import { type ListSubject, nameTies } from "../input/listCases.ts"
import {
  containsDigits,
  containsText,
  equalsLiteral,
  equalsPartner,
  type FilterModels,
  includesMetadata,
  listModelCases
} from "../input/listModelCases.ts"
import { later } from "../suite/storedRecords.ts"

const list = (scope: SubtreeScope, query: ListQuery<PartnerFilters, PartnerSortField>, budget?: number) =>
  PartnerRepository.use((partners) => partners.list(scope, query, budget))

/** The list method of PartnerRepository, for the contract cases. */
export const partnerList: ListSubject<PartnerListItem, PartnerFilters, "name", PartnerRepository> = {
  list,
  id: ({ partner_id }) => partner_id,
  name: ({ name }) => name,
  storeRecord: ({ partner_id }) => Effect.succeed(partner_id),
  storeNames: Effect.fnUntraced(function*(names) {
    const shape = names.map((_, index) => index === 0 ? null : Math.floor((index - 1) / 2))
    const partners = yield* storeForest<ReadonlyArray<number | null>>(shape, (index) => ({
      name: names[index] ?? "",
      email: `${names[index]?.replaceAll(" ", ".")}@example.com`
    }))
    return { caller: partners[0] as PartnerDetail, ids: partners.map(({ partner_id }) => partner_id) }
  }),
  textFilters: (text) => [{ name: text }, { email: text }],
  storeFilterable: ({ document_number }) => Effect.succeed([{ document_number }]),
  tiedSorts: nameTies,
  filterExample: Effect.gen(function*() {
    const [root, child] = yield* storeForest([null, 0])
    let count = 10
    /** Stores a partner that matches every filter of the example, except where `fields` overrides its fields. */
    const storeBlue = (parent: PartnerDetail, fields: PartnerFields = {}) => {
      count += 1
      const blue = {
        name: "Loja Azul",
        email: "azul@example.com",
        document_number: `044477735${count}`,
        metadata: { color: "blue", "2": "" }
      }
      return Effect.map(storeChildPartner(parent, { ...blue, ...fields }), ({ partner_id }): string => partner_id)
    }
    return {
      caller: root,
      filters: {
        name: foldText("azul"),
        email: foldText("azul@"),
        document_number: "44477735",
        person_type: "pf",
        status: "active",
        parent_id: child.partner_id,
        metadata: { color: "blue", "2": "" }
      },
      match: yield* storeBlue(child),
      mismatches: {
        name: yield* storeBlue(child, { name: "Loja Verde" }),
        email: yield* storeBlue(child, { email: "verde@example.com" }),
        document_number: yield* storeBlue(child, { document_number: "52998224725" }),
        person_type: yield* storeBlue(child, { person_type: "pj" }),
        status: yield* storeBlue(child, { status: "inactive" }),
        parent_id: yield* storeBlue(root),
        metadata: yield* storeBlue(child, { metadata: { color: "Blue", "2": "" } })
      }
    }
  })
}

const filterModels = {
  name: containsText(({ name }) => name),
  email: containsText(({ email }) => email),
  document_number: containsDigits(({ document_number }) => document_number),
  person_type: equalsLiteral(({ person_type }) => person_type, PersonType.literals),
  status: equalsLiteral(({ status }) => status, PartnerStatus.literals),
  parent_id: equalsPartner(({ parent_id }) => parent_id),
  metadata: includesMetadata<PartnerListItem>()
} satisfies FilterModels<PartnerListItem, PartnerFilters>

const maxPartners = 8

/** Contract cases that compare the list of PartnerRepository with a brute-force model. */
export const partnerListModelCases = listModelCases({
  exportAll: (scope, query) => Stream.unwrap(PartnerRepository.useSync((partners) => partners.exportAll(scope, query))),
  examples: fc.record({
    shape: forestShape(maxPartners),
    fields: fc.uniqueArray(partnerFields, {
      minLength: maxPartners,
      maxLength: maxPartners,
      selector: ({ document_number }) => document_number
    }),
    removed: fc.array(fc.nat({ max: 5 }).map((draw) => draw === 0), { minLength: maxPartners, maxLength: maxPartners })
  }),
  store: Effect.fnUntraced(function*({ fields, removed, shape }) {
    const repository = yield* PartnerRepository
    const partners = yield* storeForest<ReadonlyArray<number | null>>(shape, (index) => fields[index] ?? {})
    const live = new Set(partners)
    for (const [index, partner] of [...partners.entries()].toReversed()) {
      const hasChildren = partners.some((child) => live.has(child) && child.parent_id === partner.partner_id)
      if (removed[index] !== true || hasChildren) continue
      yield* repository.remove(asOperator.inScope(partner), later)
      live.delete(partner)
    }
    return { partners, rows: Array.from(live, partnerListItem), candidates: partners.map(partnerListItem) }
  }),
  list,
  filters: filterModels,
  sortFields: partnerSortFields,
  sortKeys: {
    created_at: (item) => item.created_at,
    name: (item) => item.name,
    document_number: (item) => item.document_number,
    email: (item) => item.email,
    status: (item) => item.status
  },
  item: identity<PartnerListItem>,
  id: partnerList.id
})
