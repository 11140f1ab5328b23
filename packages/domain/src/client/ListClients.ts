import { Effect, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { GroupSlug } from "../access/Group.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { ApiClientRepository, clientSortFields } from "../identity/ApiClient.ts"
import { parseChoiceFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { readListPage } from "../ports/readListPage.ts"
import { PartnerId } from "../values/ids.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { clientDetail, type ClientsPage, ClientStatus } from "./ClientDetail.ts"

const parseQuery = parseListQuery({
  filters: {
    name: parseTextFilter,
    partner_id: parseIdFilter(PartnerId),
    group: parseChoiceFilter(GroupSlug.literals),
    status: parseChoiceFilter(ClientStatus.literals)
  },
  fields: clientSortFields
})

/** Streams all API clients of the partners in the caller's subtree that match. The query is untrusted. */
export const exportClients = Effect.fnUntraced(function*(allowed: Allowed<"clients:write">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  return Stream.map((yield* ApiClientRepository).exportAll(scopeOf(allowed), parsed), clientDetail)
})

/** Lists the API clients of the partners in the caller's subtree, revoked ones included. The query is untrusted. */
export const listClients = Effect.fnUntraced(function*(
  allowed: Allowed<"clients:write">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  const { list } = yield* ApiClientRepository
  const found = yield* readListPage(
    "clients",
    scopeOf(allowed),
    parsed,
    (query) => list(scopeOf(allowed), query, budget)
  )
  const page: ClientsPage = { ...found, content: found.content.map(clientDetail) }
  return page
})
