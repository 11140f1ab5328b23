import { Effect, Stream } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf, type SubtreeScope } from "../hierarchy/Scope.ts"
import { parseChoiceFilter, parseCpfFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageSchema } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { emptySlice, partnerFilter, readByPartner } from "../ports/partnerFilter.ts"
import { readListPage } from "../ports/readListPage.ts"
import { metadataFilter } from "../values/metadataFilter.ts"
import { UserListItem } from "./UserDetail.ts"
import { userSortFields } from "./UserQuery.ts"
import { UserRepository } from "./UserRepository.ts"

/** A page of users. */
export const UsersPage = pageSchema(UserListItem, "UsersPage")
export type UsersPage = typeof UsersPage.Type

const parseUserQuery = parseListQuery({
  filters: {
    full_name: parseTextFilter,
    cpf: parseCpfFilter,
    email: parseTextFilter,
    status: parseChoiceFilter(["ACTIVE", "INACTIVE"]),
    group: parseChoiceFilter(["admin", "manager", "operator", "viewer"])
  },
  groups: { metadata: metadataFilter, partner: partnerFilter },
  fields: userSortFields,
  aliases: { full_name: "name" }
})

/** Streams all users of the partners in the caller's subtree that match. The query is untrusted. */
export const exportUsers = Effect.fnUntraced(function*(allowed: Allowed<"users:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseUserQuery(query))
  const { exportAll } = yield* UserRepository
  return yield* readByPartner(
    scopeOf(allowed),
    parsed.filters,
    (scope, filters) => Effect.succeed(exportAll(scope, { ...parsed, filters })),
    Stream.empty
  )
})

/** Reads a page of the users in a scope. The query is untrusted. */
export const readUsers = Effect.fnUntraced(function*(scope: SubtreeScope, query: RawQuery, budget?: number) {
  const parsed = yield* Effect.fromResult(parseUserQuery(query))
  const { list } = yield* UserRepository
  return yield* readListPage(
    "users",
    scope,
    parsed,
    (query) =>
      readByPartner(scope, query.filters, (scope, filters) => list(scope, { ...query, filters }, budget), emptySlice)
  )
})

/** Lists the users of the partners in the caller's subtree. The query is untrusted. */
export const listUsers = (allowed: Allowed<"users:read">, query: RawQuery, budget?: number) =>
  readUsers(scopeOf(allowed), query, budget)
