import { Effect, type Result } from "effect"
import { type Allowed, type PermissionDenied } from "../access/Authorization.ts"
import { type Caller } from "../access/Caller.ts"
import { personalDataView } from "../access/PersonalDataView.ts"
import { judgeFound, NotFound, scopeOf } from "../hierarchy/Scope.ts"
import { filterOf, parseChoiceFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageOf, pageSchema } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { ProposalStatus } from "../loan/Proposal.ts"
import { parseCpf } from "../values/Cpf.ts"
import { PartnerId, type ProposalId } from "../values/ids.ts"
import { parseFromFilter, parseToFilter } from "../values/instantFilter.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { proposalSortFields } from "./ApplicationQuery.ts"
import { ProposalRepository } from "./ApplicationRepository.ts"
import { listByExternalId, storedExternalId } from "./erasedExternalId.ts"
import { judgeCpfFilter as judgeApplicationFilter, parseExternalIdFilter } from "./ListApplications.ts"
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
    status: parseChoiceFilter(ProposalStatus.literals),
    partner_id: parseIdFilter(PartnerId),
    created_from: parseFromFilter,
    created_to: parseToFilter,
    updated_from: parseFromFilter,
    updated_to: parseToFilter
  },
  fields: proposalSortFields
})

/**
 * A caller without `kyc:read` cannot filter proposals by CPF, as for applications (FGTS-51).
 * @rule PROP-05
 */
export const judgeCpfFilter = (
  caller: Pick<Caller, "permissions">,
  query: RawQuery
): Result.Result<void, PermissionDenied> => judgeApplicationFilter(caller, query)

/** Streams all proposals of the partners in the caller's subtree that match. The query is untrusted. */
export const exportProposals = Effect.fnUntraced(function*(allowed: Allowed<"proposals:read">, query: RawQuery) {
  yield* Effect.fromResult(judgeCpfFilter(allowed.caller, query))
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const scope = scopeOf(allowed)
  const filters = yield* storedExternalId(scope, parsed.filters)
  return (yield* ProposalRepository).exportAll(scope, { ...parsed, filters })
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
  const found = yield* listByExternalId(
    scopeOf(allowed),
    parsed.filters,
    (filters) => list(scopeOf(allowed), { ...parsed, filters }, budget)
  )
  return pageOf(found, parsed)
})

/** Returns a proposal in the caller's subtree. */
export const getProposal = Effect.fnUntraced(function*(allowed: Allowed<"proposals:read">, id: ProposalId) {
  const found = yield* (yield* ProposalRepository).find(scopeOf(allowed), id)
  const { record } = yield* Effect.fromResult(judgeFound(found))
  return isContracted(record) ? proposalDetail(record, personalDataView(allowed.caller)) : yield* new NotFound()
})
