import { Effect, Result, Stream } from "effect"
import { type Allowed, PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { type PersonalDataView, personalDataView } from "../access/PersonalDataView.ts"
import { scopeOf, type SubtreeScope } from "../hierarchy/Scope.ts"
import { filterOf, type FilterParser, parseChoiceFilter, parseChoicesFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { firstValue, type RawQuery } from "../input/RawQuery.ts"
import { parseText } from "../input/Text.ts"
import { ApplicationStatus } from "../loan/ApplicationStatus.ts"
import { NextAction } from "../loan/nextAction.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { rejectionCodes } from "../offer/RejectionReason.ts"
import { emptySlice, partnerFilter, readByPartner } from "../ports/partnerFilter.ts"
import { readListPage } from "../ports/readListPage.ts"
import { parseCpf } from "../values/Cpf.ts"
import { parseExactFilter } from "../values/exactFilter.ts"
import { parseFromFilter, parseToFilter } from "../values/instantFilter.ts"
import { metadataFilter } from "../values/metadataFilter.ts"
import { currentTimestamp } from "../values/Timestamp.ts"
import { applicationSortFields } from "./ApplicationQuery.ts"
import { ApplicationRepository } from "./ApplicationRepository.ts"
import { externalIdBounds } from "./ApplicationRequests.ts"
import { withErasedForm } from "./erasedExternalId.ts"
import { fgtsApplicationListItem, type FgtsApplicationsPage } from "./FgtsApplicationListItem.ts"

/** Parses the filter by external id, which matches exactly. */
export const parseExternalIdFilter: FilterParser<string> = filterOf(parseText(externalIdBounds))

/** The filters of applications with one parameter. */
export const applicationFilters = {
  external_id: parseExternalIdFilter,
  cpf: filterOf(parseCpf),
  rejection_code: parseChoiceFilter(rejectionCodes),
  created_by: parseExactFilter,
  created_from: parseFromFilter,
  created_to: parseToFilter,
  updated_from: parseFromFilter,
  updated_to: parseToFilter,
  expires_from: parseFromFilter,
  expires_to: parseToFilter,
  retry_from: parseFromFilter,
  retry_to: parseToFilter
}

export const applicationFilterGroups = {
  next_action: parseChoicesFilter("next_action", NextAction.literals),
  proposal_status: parseChoicesFilter("proposal_status", ProposalStatus.literals),
  metadata: metadataFilter,
  partner: partnerFilter
}

const parseQuery = parseListQuery({
  filters: applicationFilters,
  groups: { status: parseChoicesFilter("status", ApplicationStatus.literals), ...applicationFilterGroups },
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
 * A caller without `kyc:read` cannot filter applications or proposals by CPF. Otherwise the result would confirm a
 * guess of a masked CPF. An empty filter is ignored.
 * @rule FGTS-51
 */
export const judgeCpfFilter = (caller: Caller, query: RawQuery): Result.Result<void, PermissionDenied> =>
  personalDataView(caller) === "masked" && (firstValue(query["cpf"]) ?? "") !== ""
    ? Result.fail(new PermissionDenied())
    : Result.void

/** Streams all applications in the caller's subtree that match the query. The query is untrusted. */
export const exportApplications = Effect.fnUntraced(function*(allowed: Allowed<"fgts:read">, query: RawQuery) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const at = yield* currentTimestamp
  const { exportAll } = yield* ApplicationRepository
  const applications = yield* readByPartner(
    scopeOf(allowed),
    parsed.filters,
    (scope, given) => Effect.map(withErasedForm(given), (filters) => exportAll(scope, { ...parsed, filters, at })),
    Stream.empty
  )
  const view = personalDataView(allowed.caller)
  return Stream.map(applications, (application) => fgtsApplicationListItem(application, at, view))
})

/** Reads a page of the applications in a scope, with masked or full personal data. The query is untrusted. */
export const readApplications = Effect.fnUntraced(function*(
  scope: SubtreeScope,
  view: PersonalDataView,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const at = yield* currentTimestamp
  const { list } = yield* ApplicationRepository
  const found = yield* readListPage("applications", scope, parsed, (query) =>
    readByPartner(
      scope,
      query.filters,
      (scope, given) =>
        Effect.flatMap(withErasedForm(given), (filters) => list(scope, { ...query, filters, at }, budget)),
      emptySlice
    ))
  const page: FgtsApplicationsPage = {
    ...found,
    content: found.content.map((application) => fgtsApplicationListItem(application, at, view))
  }
  return page
})

/** Lists the applications of the partners in the caller's subtree. The query is untrusted. */
export const listApplications = Effect.fnUntraced(function*(
  allowed: Allowed<"fgts:read">,
  query: RawQuery,
  budget?: number
) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  return yield* readApplications(scopeOf(allowed), personalDataView(allowed.caller), query, budget)
})
