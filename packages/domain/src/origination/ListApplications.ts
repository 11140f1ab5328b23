import { Effect, Result, Stream } from "effect"
import { type Allowed, PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { filterOf, type FilterParser, parseChoiceFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageOf } from "../input/Page.ts"
import { firstValue, type RawQuery } from "../input/RawQuery.ts"
import { parseText } from "../input/Text.ts"
import { ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { rejectionCodes } from "../offer/RejectionReason.ts"
import { parseCpf } from "../values/Cpf.ts"
import { PartnerId } from "../values/ids.ts"
import { parseFromFilter, parseToFilter } from "../values/instantFilter.ts"
import { metadataFilter } from "../values/metadataFilter.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { applicationSortFields } from "./ApplicationQuery.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { externalIdBounds } from "./ApplicationRequests.ts"
import { listByExternalId, storedExternalId } from "./erasedExternalId.ts"
import { fgtsApplicationListItem, type FgtsApplicationsPage } from "./FgtsApplicationListItem.ts"

/** Parses the filter for the external id. A record matches only if its external id equals the filter exactly. */
export const parseExternalIdFilter: FilterParser<string> = filterOf(parseText(externalIdBounds))

const filters = {
  external_id: parseExternalIdFilter,
  cpf: filterOf(parseCpf),
  status: parseChoiceFilter(ApplicationStatus.literals),
  rejection_code: parseChoiceFilter(rejectionCodes),
  partner_id: parseIdFilter(PartnerId),
  created_from: parseFromFilter,
  created_to: parseToFilter,
  updated_from: parseFromFilter,
  updated_to: parseToFilter
}

const parseQuery = parseListQuery({
  filters,
  groups: { metadata: metadataFilter },
  fields: applicationSortFields
})

/**
 * A query for applications is a search if it has an `external_id` and no other parameter. Any other query reads a page.
 * @rule FGTS-52
 */
export const isApplicationSearch = (query: RawQuery): boolean =>
  (firstValue(query["external_id"]) ?? "") !== "" &&
  Object.keys(query).every((name) => name === "external_id" || query[name] === undefined)

/**
 * A caller without `kyc:read` cannot filter by CPF, because the result would confirm a guess of a masked CPF. An empty
 * filter is ignored.
 * @rule FGTS-51
 */
export const judgeCpfFilter = (
  caller: Pick<Caller, "permissions">,
  query: RawQuery
): Result.Result<void, PermissionDenied> =>
  personalDataView(caller) === "masked" && (firstValue(query["cpf"]) ?? "") !== ""
    ? Result.fail(new PermissionDenied())
    : Result.void

/** Streams all applications of the partners in the caller's subtree that match. The query is untrusted. */
export const exportApplications = Effect.fnUntraced(function*(allowed: Allowed<"fgts:read">, query: RawQuery) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const at = yield* currentTimestamp
  const scope = scopeOf(allowed)
  const filters = yield* storedExternalId(scope, parsed.filters)
  const view = personalDataView(allowed.caller)
  const applications = (yield* ApplicationRepository).exportAll(scope, { ...parsed, filters, at })
  return Stream.map(applications, (application) => fgtsApplicationListItem(application, at, view))
})

/** Lists the applications of the partners in the caller's subtree. The query is untrusted. */
export const listApplications = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  query: RawQuery,
  budget?: number
) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const at = yield* currentTimestamp
  const { list } = yield* ApplicationRepository
  const { items, total } = yield* listByExternalId(
    scopeOf(allowed),
    parsed.filters,
    (filters) => list(scopeOf(allowed), { ...parsed, filters, at }, budget)
  )
  const view = personalDataView(allowed.caller)
  const page: FgtsApplicationsPage = pageOf(
    { items: items.map((application) => fgtsApplicationListItem(application, at, view)), total },
    parsed
  )
  return page
})
