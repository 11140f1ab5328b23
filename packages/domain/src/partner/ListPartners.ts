import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf, type SubtreeScope } from "../hierarchy/Scope.ts"
import { parseChoiceFilter, parseDocumentFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageSchema } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { readListPage } from "../ports/readListPage.ts"
import { PartnerId } from "../values/ids.ts"
import { metadataFilter } from "../values/metadataFilter.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { PartnerListItem } from "./PartnerDetail.ts"
import { partnerSortFields } from "./PartnerQuery.ts"
import { PartnerRepository } from "./PartnerRepository.ts"

/** A page of partners. */
export const PartnersPage = pageSchema(PartnerListItem, "PartnersPage")
export type PartnersPage = typeof PartnersPage.Type

const parsePartnerQuery = parseListQuery({
  filters: {
    name: parseTextFilter,
    email: parseTextFilter,
    document_number: parseDocumentFilter,
    person_type: parseChoiceFilter(["pf", "pj"]),
    status: parseChoiceFilter(["active", "inactive"]),
    parent_id: parseIdFilter(PartnerId)
  },
  groups: { metadata: metadataFilter },
  fields: partnerSortFields
})

/** Streams all partners in the caller's subtree that match. The query is untrusted. */
export const exportPartners = Effect.fnUntraced(function*(allowed: Allowed<"partners:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parsePartnerQuery(query))
  return (yield* PartnerRepository).exportAll(scopeOf(allowed), parsed)
})

/** Reads a page of the partners in a scope. The query is untrusted. */
export const readPartners = Effect.fnUntraced(function*(scope: SubtreeScope, query: RawQuery, budget?: number) {
  const parsed = yield* Effect.fromResult(parsePartnerQuery(query))
  const { list } = yield* PartnerRepository
  return yield* readListPage("partners", scope, parsed, (query) => list(scope, query, budget))
})

/** Lists the partners in the caller's subtree, including the caller's own partner. The query is untrusted. */
export const listPartners = (allowed: Allowed<"partners:read">, query: RawQuery, budget?: number) =>
  readPartners(scopeOf(allowed), query, budget)
