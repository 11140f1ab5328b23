import { Effect, Result } from "effect"
import { parseCpf } from "../../documents/Cpf.ts"
import { scopeOf } from "../../hierarchy/Scope.ts"
import { PartnerId } from "../../id/ids.ts"
import { type Allowed, PermissionDenied } from "../../identity/Authorization.ts"
import { type Caller } from "../../identity/Caller.ts"
import { personalDataView } from "../../identity/PersonalDataView.ts"
import { isMetadataParameter, parseMetadataFilter } from "../../metadata/metadataFilter.ts"
import { filterOf, type FilterParser, parseChoiceFilter, parseIdFilter } from "../../paging/Filter.ts"
import { parseFromFilter, parseToFilter } from "../../paging/instantFilter.ts"
import { parseListQuery } from "../../paging/ListQuery.ts"
import { pageOf } from "../../paging/Page.ts"
import { firstValue, type RawQuery } from "../../paging/RawQuery.ts"
import { currentTimestamp } from "../../time/Timestamp.ts"
import { parseText } from "../../validation/Text.ts"
import { ApplicationStatus } from "../application/ApplicationStatus.ts"
import { rejectionCodes } from "../quote/RejectionReason.ts"
import { fgtsApplicationListItem, type FgtsApplicationsPage } from "../view/FgtsApplicationListItem.ts"
import { applicationSortFields } from "./ApplicationQuery.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { externalIdBounds } from "./ApplicationRequests.ts"

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
  groups: { metadata: parseMetadataFilter },
  fields: applicationSortFields
})

const parameters = ["page", "size", "sort", ...Object.keys(filters)]

/**
 * A query for applications is a search if it has an `external_id` and no other parameter of the list. Any other query
 * reads a page.
 * @rule FGTS-52
 */
export const isApplicationSearch = (query: RawQuery): boolean =>
  (firstValue(query["external_id"]) ?? "") !== "" &&
  parameters.every((name) => name === "external_id" || query[name] === undefined) &&
  !Object.keys(query).some((name) => isMetadataParameter(name) && query[name] !== undefined)

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

/** Lists the applications of the partners in the caller's subtree. The query is untrusted. */
export const listApplications = Effect.fnUntraced(function*(allowed: Allowed<"fgts:read">, query: RawQuery) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const at = yield* currentTimestamp
  const { items, total } = yield* (yield* ApplicationRepository).list(scopeOf(allowed), { ...parsed, at })
  const view = personalDataView(allowed.caller)
  const page: FgtsApplicationsPage = pageOf(
    { items: items.map((application) => fgtsApplicationListItem(application, at, view)), total },
    parsed
  )
  return page
})
