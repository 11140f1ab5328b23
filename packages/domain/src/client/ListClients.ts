import { Effect, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { GroupSlug } from "../access/Group.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { ApiClientRepository, clientSortFields } from "../identity/ApiClient.ts"
import { parseChoiceFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { emptySlice, partnerFilter, readByPartner } from "../ports/partnerFilter.ts"
import { readListPage } from "../ports/readListPage.ts"
import { clientDetail, type ClientsPage, ClientStatus } from "./ClientDetail.ts"

const parseQuery = parseListQuery({
  filters: {
    name: parseTextFilter,
    group: parseChoiceFilter(GroupSlug.literals),
    status: parseChoiceFilter(ClientStatus.literals)
  },
  groups: { partner: partnerFilter },
  fields: clientSortFields
})

/** Streams all API clients of the partners in the caller's subtree that match. The query is untrusted. */
export const exportClients = Effect.fnUntraced(function*(allowed: Allowed<"clients:write">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { exportAll } = yield* ApiClientRepository
  const clients = yield* readByPartner(
    scopeOf(allowed),
    parsed.filters,
    (scope, filters) => Effect.succeed(exportAll(scope, { ...parsed, filters })),
    Stream.empty
  )
  return Stream.map(clients, clientDetail)
})

/** Lists the API clients of the partners in the caller's subtree, revoked ones included. The query is untrusted. */
export const listClients = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { list } = yield* ApiClientRepository
  const scope = scopeOf(allowed)
  const stored = yield* readListPage(
    "clients",
    scope,
    parsed,
    (query) =>
      readByPartner(scope, query.filters, (scope, filters) => list(scope, { ...query, filters }, budget), emptySlice)
  )
  const page: ClientsPage = { ...stored, content: stored.content.map(clientDetail) }
  return page
})
