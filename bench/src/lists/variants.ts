import {
  asOperator,
  fold,
  PartnerRepository,
  type PartnerSortField,
  type Scope,
  type SortBy,
  type UserFilters,
  UserRepository,
  type UserSortField
} from "@lastro/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Variant } from "../measure/interleave.ts"
import { commonFamilyName, rareFamilyName } from "../seed/names.ts"
import { randomness } from "../seed/Randomness.ts"
import { offsetPage, recursivePage, recursiveWindow } from "./handWritten.ts"
import { readByPrimaryKey, someUsers } from "./primaryKey.ts"
import { type ListedScope } from "./scopes.ts"

const newest: SortBy<"created_at"> = { property: "created_at", direction: "desc" }

const firstPage = { number: 0, size: 20 }

const commonName = fold(commonFamilyName)
const rareName = fold(rareFamilyName)

/** What is listed at a scope. */
interface Lists {
  readonly users: (
    scope: Scope,
    query?: { readonly filters?: UserFilters; readonly sort?: SortBy<UserSortField>; readonly page?: number }
  ) => Effect.Effect<unknown>
  readonly partners: (scope: Scope, sort?: SortBy<PartnerSortField>) => Effect.Effect<unknown>
}

/** The lists of the repositories, by their ports. */
export const lists = Effect.gen(function*() {
  const users = yield* UserRepository
  const partners = yield* PartnerRepository
  const all: Lists = {
    users: (scope, { filters = {}, page = 0, sort = newest } = {}) =>
      users.list(scope, { filters, sort: [sort], page: { number: page, size: 20 } }),
    partners: (scope, sort = newest) => partners.list(scope, { filters: {}, sort: [sort], page: firstPage })
  }
  return all
})

/** Everything that is measured at these scopes, the first of which is the root; the first variant is the reference. */
export const listVariants = Effect.fn("listVariants")(function*(scopes: ReadonlyArray<ListedScope>, seed: number) {
  const sql = yield* SqlClient.SqlClient
  const { partners, users } = yield* lists
  const repository = yield* UserRepository
  const ids = yield* someUsers(sql, 1_000)
  const draw = randomness(seed, "found users")
  const root = scopes[0]
  if (root === undefined) return yield* Effect.die(new Error("There is no partner"))
  const found = Effect.suspend(() => {
    const id = ids[draw.below(ids.length)]
    return id === undefined ? Effect.void : Effect.asVoid(repository.find(asOperator.scope(root.scope.partner_id), id))
  })
  const middlePage = Math.floor(root.users / 40)
  const middling = scopes.find(({ name }) => name === "0.5 %") ?? root
  const variants: ReadonlyArray<Variant<SqlError>> = [
    { name: "user by primary key", run: readByPrimaryKey(sql, ids, randomness(seed, "read users")) },
    { name: "user by id, with its scope", run: found },
    ...scopes.map(({ name, scope }) => ({ name: `users, ${name}`, run: users(scope) })),
    ...scopes.map(({ name, scope }) => ({ name: `partners, ${name}`, run: partners(scope) })),
    { name: "users by name, root", run: users(root.scope, { sort: { property: "name", direction: "asc" } }) },
    { name: "users with a rare name, root", run: users(root.scope, { filters: { full_name: rareName } }) },
    { name: "users with a rare name, 0.5 %", run: users(middling.scope, { filters: { full_name: rareName } }) },
    { name: "users with a common name, root", run: users(root.scope, { filters: { full_name: commonName } }) },
    { name: "users with a common name, 0.5 %", run: users(middling.scope, { filters: { full_name: commonName } }) },
    { name: "users, root, middle page", run: users(root.scope, { page: middlePage }) },
    { name: "the same by OFFSET over the join", run: offsetPage(sql, root.scope, middlePage * 20) },
    { name: "users, root, recursive CTE", run: recursivePage(sql, root.scope) },
    { name: "the same with a window count", run: recursiveWindow(sql, root.scope) }
  ]
  return variants
})
