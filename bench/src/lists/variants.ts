import { asOperator } from "@lastro/domain/hierarchy"
import { foldText } from "@lastro/domain/input"
import { UserRepository } from "@lastro/domain/user"
import { commonFamilyName, rareFamilyName } from "@lastro/seed"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Variant } from "../measure/interleave.ts"
import { randomness } from "../measure/Randomness.ts"
import { offsetPage, recursivePage, recursiveWindow } from "./handWritten.ts"
import { type Kind, kinds } from "./kinds.ts"
import { readByPrimaryKey, someUsers } from "./primaryKey.ts"
import { type ListedScope } from "./scopes.ts"

/** A variant with its target: the maximum ratio to the reference. */
export interface AimedVariant extends Variant<SqlError> {
  readonly aim?: number
}

const names = { rare: foldText(rareFamilyName), common: foldText(commonFamilyName) }

const middlePage = (records: number): number => Math.floor(records / 40)

/** Returns the variants that read one user: by primary key, which is the reference, and through the port. */
export const reads = Effect.fn("reads")(function*(root: ListedScope, seed: number) {
  const sql = yield* SqlClient.SqlClient
  const repository = yield* UserRepository
  const ids = yield* someUsers(sql, 1_000)
  const draw = randomness(seed, "found users")
  const found = Effect.suspend(() => {
    const id = ids[draw.below(ids.length)]
    return id === undefined ? Effect.void : Effect.asVoid(repository.find(asOperator.scope(root.scope.partner_id), id))
  })
  const all: ReadonlyArray<AimedVariant> = [
    { name: "user by primary key", run: readByPrimaryKey(sql, ids, randomness(seed, "read users")) },
    { name: "user by id, with its scope", run: found }
  ]
  return all
})

/** Returns the variants that read the first page in the default order. */
export const firstPages = <Field extends string>(
  { list, name }: Kind<Field>,
  scopes: ReadonlyArray<ListedScope>
): ReadonlyArray<AimedVariant> =>
  scopes.map((one) => ({
    name: `${name}, ${one.name}`,
    run: list(one.scope),
    ...(name === "users" ? { aim: one.name === "0.5 %" || one.name.startsWith("slowest") ? 6 : 3 } : {})
  }))

const sorted = <Field extends string>({ list, name, sorts }: Kind<Field>, scopes: ReadonlyArray<ListedScope>) =>
  scopes.flatMap((one) =>
    sorts.map((sort): AimedVariant => ({
      name: `${name} by ${sort}, ${one.name}`,
      run: list(one.scope, { sort })
    }))
  )

const filtered = <Field extends string>({ list, name }: Kind<Field>, scopes: ReadonlyArray<ListedScope>) =>
  scopes.flatMap((one) =>
    (["rare", "common"] as const).map((kind): AimedVariant => ({
      name: `${name} with a ${kind} name, ${one.name}`,
      run: list(one.scope, { name: names[kind] }),
      ...(kind === "rare" ? { aim: 15 } : one.name === "root" ? { aim: 20 } : {})
    }))
  )

const deep = <Field extends string>({ list, name }: Kind<Field>, scopes: ReadonlyArray<ListedScope>) =>
  scopes.map((one): AimedVariant => ({
    name: `${name}, ${one.name}, middle page`,
    run: list(one.scope, { page: middlePage(one[name]) })
  }))

/** Returns all variants in these scopes. The first scope must be the root. The first variant is the reference. */
export const listVariants = Effect.fn("listVariants")(function*(scopes: ReadonlyArray<ListedScope>, seed: number) {
  const sql = yield* SqlClient.SqlClient
  const all = yield* kinds
  const [root] = scopes
  if (root === undefined) return yield* Effect.die(new Error("There is no partner"))
  const wide = scopes.filter(({ name }) => ["root", "10 %", "0.5 %"].includes(name))
  const some = scopes.filter(({ name }) => ["root", "0.5 %"].includes(name))
  const variants: ReadonlyArray<AimedVariant> = [
    ...yield* reads(root, seed),
    ...firstPages(all.users, scopes),
    ...firstPages(all.partners, scopes),
    ...firstPages(all.proposals, scopes),
    ...sorted(all.users, some),
    ...sorted(all.partners, some),
    ...sorted(all.proposals, some),
    ...filtered(all.users, scopes),
    ...filtered(all.partners, some),
    ...filtered(all.proposals, some),
    ...deep(all.users, wide),
    ...deep(all.partners, some),
    ...deep(all.proposals, some),
    {
      name: "users, root, middle page by OFFSET over the join",
      run: offsetPage(sql, root.scope, 20 * middlePage(root.users))
    },
    { name: "users, root, recursive CTE", run: recursivePage(sql, root.scope) },
    { name: "users, root, recursive CTE with a window count", run: recursiveWindow(sql, root.scope) }
  ]
  return variants
})
