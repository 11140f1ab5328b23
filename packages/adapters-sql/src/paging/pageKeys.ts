import { offsetOf, type PageRequest, type PartnerId } from "@lastro/domain"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { placeOf, placeOfItem, subtree } from "../hierarchy/subtree.ts"
import { type Listing } from "./Listing.ts"

/**
 * What the steps of a plain list cost, in microseconds; only how they compare matters, and that to a factor of two.
 * A walked row counts three times what it takes, because records of a subtree lie together in an order by time.
 */
const costs = (sql: SqlClient.SqlClient) => ({
  hashedPart: sql.literal("0.2"),
  walked: sql.literal("1"),
  mergedPart: sql.literal("4"),
  merged: sql.literal("0.4"),
  sorted: sql.literal("1")
})

/** A walk gives up after this many times the rows it is expected to take. */
const patience = "8"

/** The size of a page as a number in the statement: a plan for an unknown size would be made for a tenth of everything. */
const literalSize = (sql: SqlClient.SqlClient, { size }: Pick<PageRequest, "size">): Fragment =>
  sql.literal(String(Math.trunc(size)))

/** Which page of which subtree is asked for; its partner and how many records come before it may be stand-ins for values. */
export interface PlainPage {
  readonly top: unknown
  readonly skip: unknown
  readonly size: number
}

/** How the keys of a page are written in SQL. */
interface Keys {
  /** The columns of `item` that are sorted by, its id among them. */
  readonly keys: Fragment
  /** Their order. */
  readonly keyOrder: Fragment
}

/** The records of each part of a subtree apart: of the regions in it, and of the partners it counts singly. */
const partsOf = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  top: Fragment,
  items: (within: Fragment) => Fragment
): Fragment =>
  sql`(
    select item.* from subtree_region part cross join lateral (${items(sql`item.region_id = part.region_id`)}) item
    where part.top_id = ${top}
  ) union all (
    select item.* from subtree_partner part cross join lateral (
      ${items(sql`${sql.literal(`item.${listing.owner}`)} = part.partner_id`)}
    ) item where part.top_id = ${top}
  )`

/** The keys of a page of what passes the filters, all of which is counted: the tables `total` and `page`. */
export const filteredKeys = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  top: PartnerId,
  page: PageRequest,
  filters: ReadonlyArray<Fragment>,
  { keyOrder, keys }: Keys
): Fragment => {
  const passing = (within: Fragment): Fragment =>
    sql`
      select ${keys} from ${sql.literal(listing.table)} item
      where ${within} and ${sql.literal(listing.kept)} and ${sql.and(filters)}`
  return sql`
    matched as materialized (${partsOf(sql, listing, sql`${top}::uuid`, passing)}),
    total as (select count(*) as value from matched),
    page as materialized (
      select item.id from matched item order by ${keyOrder}
      limit ${literalSize(sql, page)} offset ${BigInt(offsetOf(page))}
    )`
}

/**
 * The keys of a page of everything in scope, and the total from the maintained counts: the tables `total` and `page`.
 *
 * The keys come by the cheapest of three ways: the tree's index in the asked order, when the scope is a whole tree; the
 * same index, leaving out what is not in scope, when the scope is a large share of a large tree; or the first of every
 * part of the scope, merged. The second way gives up in favour of the third when the scope's records lie deep in the
 * order. How many parts a scope has does not grow with its users, and hardly with its partners.
 *
 * Planning takes several times as long as running. So the statement chooses its way by the counts, and hides its
 * parameters from the planner in subqueries: a plan made for their values is never cheaper, and PostgreSQL keeps one.
 */
export const plainKeys = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  page: PlainPage,
  { indexed, keyOrder, keys }: Keys & { readonly indexed: "tree and regions" | "tree" | "no" }
): Fragment => {
  const cost = costs(sql)
  const given = sql`(select ${page.top}::uuid)`
  const table = sql.literal(listing.table)
  const kept = sql.literal(listing.kept)
  const owner = placeOfItem(sql, listing.owner)
  const size = literalSize(sql, page)
  const total = sql`
    total as materialized (
      select top, root_id, value, skip, least(skip + ${size}, value) as wanted,
        case
          when value <= skip then 'none'
          when whole then 'whole'
          when rows * ${cost.walked} + parts * ${cost.hashedPart} < parts * ${cost.mergedPart} + ${
    indexed === "tree and regions"
      ? sql`least(folded, parts * (skip + ${size})) * ${cost.merged}`
      : sql`folded * ${cost.sorted}`
  } then 'walk'
          else 'merge'
        end as way,
        least(rows * ${sql.literal(patience)}, 1e9)::bigint as patience
      from (${estimates(sql, listing, given, page)}) estimated
    )`
  const whole = sql`
    select item.id from total cross join lateral (
      select item.id from ${table} item where item.root_id = total.root_id and ${kept}
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where total.way = 'whole'`
  const first = (within: Fragment): Fragment =>
    sql`
      select ${keys} from ${table} item where ${within} and ${kept}
      order by ${keyOrder} limit total.skip + ${size}`
  const merged = (condition: Fragment): Fragment =>
    sql`
    select item.id from total cross join lateral (
      select item.id from (${partsOf(sql, listing, sql.literal("total.top"), first)}) item
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where ${condition}`
  if (indexed === "no") {
    return sql`${total},
      page as materialized ((${whole}) union all (${merged(sql`total.way in ('walk', 'merge')`)}))`
  }
  return sql`${total},
    walked as materialized (
      select item.* from total cross join lateral (
        select item.* from (
          select ${keys}, ${owner.id} as owner, ${owner.region} as region from ${table} item
          where item.root_id = total.root_id and ${kept}
          order by ${keyOrder} limit total.patience
        ) item
        where ${subtree(sql, given).holdsHashed({ id: sql.literal("item.owner"), region: sql.literal("item.region") })}
        order by ${keyOrder} limit total.wanted
      ) item where total.way = 'walk'
    ),
    page as materialized (
      (${whole}) union all (
        select item.id from walked item
        where (select count(*) from walked) = (select wanted from total)
        order by ${keyOrder} limit ${size} offset (select skip from total)
      ) union all (
        ${merged(sql`total.way = 'merge' or total.way = 'walk' and (select count(*) from walked) < total.wanted`)}
      )
    )`
}

/** What is known of the scope: its tree, its exact total, its parts, and how many rows a walk to its page is expected to take. */
const estimates = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  given: Fragment,
  page: PlainPage
): Fragment => {
  const count = sql.literal(listing.count)
  const pending = placeOf(sql, sql.literal("delta.partner_id"))
  return sql`
    select top, root_id, whole, value, skip, rows, parts, folded
    from (
      select top.id as top, top.root_id, top.parent_id is null as whole, page.skip, of_top.${count} as folded,
        case when top.parent_id is null then 0
          else (select count(*) from subtree_region where top_id = top.id)
            + (select count(*) from subtree_partner where top_id = top.id)
        end as parts,
        of_top.${count} + coalesce((
          select sum(delta.${count}) from subtree_count_delta delta
          where ${subtree(sql, sql.literal("top.id")).holds(pending)}
        ), 0) as value,
        (page.skip + ${literalSize(sql, page)})::float8
          * (select of_root.${count} from subtree_count of_root where of_root.partner_id = top.root_id)
          / greatest(of_top.${count}, 1) as rows
      from (select ${page.skip}::bigint as skip offset 0) page,
        partner top join subtree_count of_top on of_top.partner_id = top.id
      where top.id = ${given}
      offset 0
    ) counted`
}
