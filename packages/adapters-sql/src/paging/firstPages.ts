import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListQuery, type ListSlice } from "@lastro/domain/input"
import { Effect, Option, Semaphore } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { orDie } from "../database/DatabaseFailure.ts"
import { precompileRead } from "../database/postgres/BoundRead.ts"
import { type Listing } from "./Listing.ts"
import { ListStatements } from "./ListStatements.ts"
import { pageOrder } from "./pageOrder.ts"
import { type AccessPath, FirstPath, PathHints } from "./PathHints.ts"
import { selectByPath } from "./selectByPath.ts"

/**
 * A page, and the access path with which it was read. The path is undefined if the partner of the scope does not exist.
 */
interface ChosenPage<Item> {
  readonly slice: ListSlice<Item>
  readonly path: AccessPath | undefined
}

/**
 * Maximum number of general statements of a list that run at the same time. Without it, requests for first pages could
 * use all connections of the pool.
 */
const maxGeneral = 4

/**
 * Returns a function that reads the first page of an unfiltered list. It tries the access path that was chosen last for
 * the scope. If that page is incomplete, or no path is known, it runs the general statement, which contains every path
 * and chooses one. A wrong entry in {@link PathHints} costs one more round trip.
 */
export const firstPagesOf = <Row extends object, Field extends string, Filters extends object, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  toItem: (row: Row) => Item,
  readGeneral: (scope: SubtreeScope, query: ListQuery<Filters, Field>) => Effect.Effect<ChosenPage<Item>>
) => {
  type Page = Effect.Effect<ReadonlyArray<Row & { readonly total: bigint | null }>, SqlError>
  const statements = new ListStatements<(values: { readonly top: string }) => Page>()
  const hints = new PathHints()
  const turns = Semaphore.makeUnsafe(maxGeneral)
  // A transaction does not wait, because it holds a connection for which the others may wait.
  const inTurn = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(
      Effect.serviceOption(sql.transactionService),
      (transaction) => Option.isSome(transaction) ? effect : turns.withPermits(1)(effect)
    )

  const statementOf = (path: AccessPath, shape: string, { page, sort }: ListQuery<Filters, Field>) =>
    statements.find(`${path} ${shape}`, () =>
      precompileRead(
        sql,
        { top: "uuid" },
        ({ top }) => selectByPath(sql, listing, path, { top, size: page.size }, pageOrder(sql, listing, sort))
      ))

  return (scope: SubtreeScope, query: ListQuery<Filters, Field>): Effect.Effect<ListSlice<Item>> => {
    const { page: { size }, sort: [{ direction, property }] } = query
    const shape = `${property} ${direction} ${size}`
    const hintKey = `${shape} ${scope.partner_id}`

    /** Reads the page with the general statement, and remembers the chosen path. */
    const readChoosing = Effect.map(inTurn(Effect.suspend(() => readGeneral(scope, query))), ({ path, slice }) => {
      if (path !== undefined) hints.choose(hintKey, path, slice.total)
      return slice
    })

    return Effect.flatMap(FirstPath, (first) => {
      if (first === "general") return readChoosing
      const path = first === "chosen" ? hints.find(hintKey) : first
      const statement = path === undefined ? undefined : statementOf(path, shape, query)
      if (statement === undefined) return readChoosing
      return Effect.flatMap(orDie(statement({ top: scope.partner_id })), (rows) => {
        // Without a row, the total is unknown, so the page counts as incomplete.
        const total = Number(rows[0]?.total ?? Number.NaN)
        const items = path === "none" ? [] : rows.map(toItem)
        if (items.length >= Math.min(size, total)) {
          hints.reportSuccess(hintKey, total)
          return Effect.succeed({ items, total })
        }
        hints.reportFailure(hintKey)
        return readChoosing
      })
    })
  }
}
