import { type SubtreeScope } from "@lastro/domain/hierarchy"
import { type ListQuery, type WholeQuery } from "@lastro/domain/input"
import { Effect, Option, Stream } from "effect"
import { type SqlClient } from "effect/sql"
import { type SqlError } from "effect/sql/SqlError"
import { type Fragment } from "effect/sql/Statement"
import { orDie } from "../database/DatabaseFailure.ts"
import { isLean } from "../database/postgres/LeanClient.ts"
import { selectParts } from "../hierarchy/subtree.ts"
import { appliedFilters, conditionOf } from "./appliedFilters.ts"
import { type Listing } from "./Listing.ts"
import { pageOrder } from "./pageOrder.ts"

/** Number of rows per read of the cursor. */
const batchSize = 100

/** Maximum time in milliseconds for which the transaction of an export waits for the consumer. */
const maxIdleMs = 90_000

/**
 * Waits for the next turn of the event loop. An embedded database answers within the same turn. Without this wait, an
 * export would block all other requests until its end.
 */
const nextTurn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Number of exports so far. It makes the names of cursors unique in the only session of an embedded database. */
let exported = 0

/**
 * Streams the rows of a statement through a cursor. All rows are from one snapshot, and only one batch is in memory.
 *
 * On a server, the cursor belongs to a transaction with its own connection. An embedded database has only one session,
 * which a long transaction would block. There, the cursor is filled and committed at once (`with hold`), and the
 * session is free between two batches.
 */
export const exportRows = <Row extends object>(
  sql: SqlClient.SqlClient,
  select: Effect.Effect<Fragment, SqlError>
): Stream.Stream<Row> =>
  Stream.unwrap(Effect.gen(function*() {
    const hasOneSession = !isLean(sql)
    const connection = yield* orDie(sql.reserve)
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) =>
      Effect.provideService(statement, sql.transactionService, [connection, 0] as const)
    const cursor = sql.literal(`lastro_export_${exported++}`)
    const rollback = Effect.ignore(run(sql`rollback`.unprepared))
    if (!hasOneSession) yield* Effect.addFinalizer(() => rollback)
    const open = Effect.gen(function*() {
      yield* sql`begin read only`.unprepared
      yield* sql`select set_config('idle_in_transaction_session_timeout', ${`${maxIdleMs}ms`}, true)`.unprepared
      const statement = yield* select
      const hold = sql.literal(hasOneSession ? "with hold" : "without hold")
      yield* sql`declare ${cursor} no scroll cursor ${hold} for ${statement}`.unprepared
      if (hasOneSession) yield* sql`commit`.unprepared
    })
    yield* orDie(hasOneSession ? Effect.onError(run(open), () => rollback) : run(open))
    if (hasOneSession) yield* Effect.addFinalizer(() => Effect.ignore(run(sql`close ${cursor}`.unprepared)))
    const fetch = sql<Row>`fetch forward ${sql.literal(String(batchSize))} from ${cursor}`.unprepared
    const read = hasOneSession ? Effect.andThen(nextTurn, run(fetch)) : run(fetch)
    return Stream.paginate(undefined, () =>
      Effect.map(orDie(read), (rows) =>
        [rows, rows.length < batchSize ? Option.none() : Option.some(undefined)] as const))
  }))

/**
 * Returns a function that streams all records of a list in the order of its pages. For a whole tree, they are read from
 * the index in that order, if there is one.
 */
export const exportListing = <Row extends object, Field extends string, Filters extends object, Item>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field, Filters>,
  toItem: (row: Row) => Item
) =>
({ partner_id: top }: SubtreeScope, { filters, sort }: WholeQuery<ListQuery<Filters, Field>>): Stream.Stream<Item> => {
  const table = sql.literal(listing.table)
  const columns = sql.literal(listing.columns)
  const { keyOrder } = pageOrder(sql, listing, sort)
  const matching = sql.and([
    sql.literal(listing.present),
    ...appliedFilters<Filters>(listing.filters, filters).map(conditionOf(sql))
  ])
  const select = Effect.map(
    sql<{ readonly is_root: boolean }>`select parent_id is null as is_root from partner where id = ${top}`.unprepared,
    ([partner]) => {
      const items = partner?.is_root === true
        ? sql`${table} item where item.root_id = ${top} and ${matching}`
        : sql`(${
          selectParts(
            sql,
            listing,
            sql`${top}::uuid`,
            (within) => sql`select item.* from ${table} item where ${within} and ${matching}`
          )
        }) item`
      return sql`select ${columns} from ${items} order by ${keyOrder}`
    }
  )
  return Stream.map(exportRows<Row>(sql, select), toItem)
}
