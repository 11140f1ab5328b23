import { Effect, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { filterOf, parseChoicesFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageSchema } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { parseNumberFilter } from "../loan/ProposalNumber.ts"
import { emptySlice, partnerFilter, readByPartner } from "../ports/partnerFilter.ts"
import { readListPage } from "../ports/readListPage.ts"
import { parseCpf } from "../values/Cpf.ts"
import { parseExactFilter } from "../values/exactFilter.ts"
import { type ProposalId } from "../values/ids.ts"
import { parseFromFilter, parseToFilter } from "../values/instantFilter.ts"
import { proposalSortFields } from "./ApplicationQuery.ts"
import { ProposalRepository } from "./ApplicationRepository.ts"
import { withErasedForm } from "./erasedExternalId.ts"
import { judgeCpfFilter, parseExternalIdFilter } from "./ListApplications.ts"
import { proposalDetail } from "./PublicProposalDetail.ts"
import { isContracted, PublicProposalListItem } from "./PublicProposalListItem.ts"

/** A page of proposals. */
export const ProposalsPage = pageSchema(PublicProposalListItem, "ProposalsPage")
export type ProposalsPage = typeof ProposalsPage.Type

const parseQuery = parseListQuery({
  filters: {
    cpf: filterOf(parseCpf),
    customer_name: parseTextFilter,
    external_id: parseExternalIdFilter,
    created_by: parseExactFilter,
    number: parseNumberFilter,
    lender: parseExactFilter,
    table: parseExactFilter,
    created_from: parseFromFilter,
    created_to: parseToFilter,
    updated_from: parseFromFilter,
    updated_to: parseToFilter,
    paid_from: parseFromFilter,
    paid_to: parseToFilter
  },
  groups: { status: parseChoicesFilter("status", ProposalStatus.literals), partner: partnerFilter },
  fields: proposalSortFields
})

/** Streams all proposals in the caller's subtree that match the query. The query is untrusted. */
export const exportProposals = Effect.fnUntraced(function*(allowed: Allowed<"proposals:read">, query: RawQuery) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { exportAll } = yield* ProposalRepository
  return yield* readByPartner(
    scopeOf(allowed),
    parsed.filters,
    (scope, given) => Effect.map(withErasedForm(given), (filters) => exportAll(scope, { ...parsed, filters })),
    Stream.empty
  )
})

/** Lists the proposals of the partners in the caller's subtree. The query is untrusted. */
export const listProposals = Effect.fnUntraced(function*(
  allowed: Allowed<"proposals:read">,
  query: RawQuery,
  budget?: number
) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { list } = yield* ProposalRepository
  return yield* readListPage("proposals", scopeOf(allowed), parsed, (query) =>
    readByPartner(
      scopeOf(allowed),
      query.filters,
      (scope, given) => Effect.flatMap(withErasedForm(given), (filters) => list(scope, { ...query, filters }, budget)),
      emptySlice
    ))
})

/** Returns a proposal in the caller's subtree. */
export const getProposal = Effect.fnUntraced(function*(allowed: Allowed<"proposals:read">, id: ProposalId) {
  const found = yield* (yield* ProposalRepository).find(scopeOf(allowed), id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  return isContracted(record) ? proposalDetail(record, personalDataView(allowed.caller)) : yield* new NotFound()
})
