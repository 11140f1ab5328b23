import { type SqlClient } from "effect/sql"
import { type Statement } from "effect/sql/Statement"
import { countInColumn, countOf } from "../hierarchy/countOf.ts"
import { locationOfItem, locationOfKey, selectParts, subtree } from "../hierarchy/subtree.ts"
import { type ListedTable } from "./Listing.ts"
import { type PageOrder } from "./pageOrder.ts"
import { type AccessPath } from "./PathHints.ts"

/** The path `walk` reads at most this number of rows per record of the page. */
const walkedPerRow = 50

/** The first page of an unfiltered list. In a precompiled statement, `top` is a placeholder. */
interface FirstPage {
  /** The id of the partner at the top of the scope. */
  readonly top: unknown
  readonly size: number
}

/**
 * Selects the first page of all records in scope with one access path (see `selectUnfilteredKeys`). Each row has the
 * total. This statement takes about half the time of the general one, because PostgreSQL prepares every path of a
 * statement at each execution, even unused ones.
 *
 * A path returns records of the scope in the order of the page, without a gap. So a page is correct if it is complete:
 * it is full, or has all records of the scope. A page may be incomplete if the path does not suit the scope. `none`
 * returns only the total. `whole` returns nothing if the scope is not a whole tree. `walk` ends after a limited number
 * of rows. If there is no row, the total is unknown.
 */
export const selectByPath = <Row extends object>(
  sql: SqlClient.SqlClient,
  listing: ListedTable & { readonly columns: string },
  path: AccessPath,
  { size, top }: FirstPage,
  { keyOrder, keys }: PageOrder
): Statement<Row> => {
  const topId = sql`(select ${top}::uuid)`
  const table = sql.literal(listing.table)
  const present = sql.literal(listing.present)
  const columns = sql.literal(listing.columns)
  const owner = locationOfItem(sql, listing.owner)
  const limit = sql.literal(String(Math.trunc(size)))
  const total = sql`(
      select ${countOf(sql, countInColumn(sql, listing.count))}
      from subtree_count of_top cross join lateral (select of_top.partner_id as id) top where of_top.partner_id = ${topId}
    ) as total`
  if (path === "none") return sql<Row>`select ${total}`
  if (path === "whole") {
    return sql<Row>`
      select ${total}, ${columns} from ${table} item where item.root_id = ${topId} and ${present}
      order by ${keyOrder} limit ${limit}`
  }
  const page = path === "walk"
    ? sql`
        select item.id from (
          select ${keys}, ${owner.id} as owner, ${owner.region} as region from ${table} item
          where item.root_id = (select root_id from partner where id = ${topId}) and ${present}
          order by ${keyOrder} limit ${sql.literal(String(Math.trunc(size) * walkedPerRow))}
        ) item
        where ${subtree(sql, topId).containsHashed(locationOfKey(sql))}
        order by ${keyOrder} limit ${limit}`
    : sql`
        select item.id from (${
      selectParts(
        sql,
        listing,
        topId,
        (within) =>
          sql`select ${keys} from ${table} item where ${within} and ${present} order by ${keyOrder} limit ${limit}`
      )
    }) item
        order by ${keyOrder} limit ${limit}`
  return sql<Row>`
      select ${total}, ${columns} from (${page}) page join ${table} item on item.id = page.id order by ${keyOrder}`
}
