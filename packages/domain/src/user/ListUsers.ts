import { Effect } from "effect"
import { type Allowed } from "../access/Authorization.ts"
import { scopeOf } from "../hierarchy/Scope.ts"
import { parseChoiceFilter, parseCpfFilter, parseTextFilter } from "../input/Filter.ts"
import { parseListQuery } from "../input/ListQuery.ts"
import { pageOf, pageSchema } from "../input/Page.ts"
import { type RawQuery } from "../input/RawQuery.ts"
import { PartnerId } from "../values/ids.ts"
import { metadataFilter } from "../values/metadataFilter.ts"
import { parseIdFilter } from "../values/Uuid.ts"
import { UserListItem } from "./UserDetail.ts"
import { userSortFields } from "./UserQuery.ts"
import { UserRepository } from "./UserRepository.ts"

/** A page of users. */
export const UsersPage = pageSchema(UserListItem, "UsersPage")
export type UsersPage = typeof UsersPage.Type

const parseQuery = parseListQuery({
  filters: {
    full_name: parseTextFilter,
    cpf: parseCpfFilter,
    email: parseTextFilter,
    partner_id: parseIdFilter(PartnerId),
    status: parseChoiceFilter(["ACTIVE", "INACTIVE"]),
    group: parseChoiceFilter(["admin", "manager", "operator", "viewer"])
  },
  groups: { metadata: metadataFilter },
  fields: userSortFields,
  aliases: { full_name: "name" }
})

/** Streams all users of the partners in the caller's subtree that match. The query is untrusted. */
export const exportUsers = Effect.fnUntraced(function*(allowed: Allowed<"users:read">, query: RawQuery) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  return (yield* UserRepository).exportAll(scopeOf(allowed), parsed)
})

/** Lists the users of the partners in the caller's subtree. The query is untrusted. */
export const listUsers = Effect.fnUntraced(function*(
  allowed: Allowed<"users:read">,
  query: RawQuery,
  budget?: number
) {
  const parsed = yield* Effect.fromResult(parseQuery(query))
  return pageOf(yield* (yield* UserRepository).list(scopeOf(allowed), parsed, budget), parsed)
})
