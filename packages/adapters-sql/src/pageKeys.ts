import { offsetOf, type PageRequest, type Scope } from "@lastro/domain"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type Listing } from "./Listing.ts"
import { scoped, subtree } from "./scoped.ts"

/**
 * What the steps of a plain list cost, in microseconds; only how they compare matters, and that to a factor of two.
 * A walked row counts three times what it takes, because records of a subtree lie together in an order by time.
 */
const costs = (sql: SqlClient.SqlClient) => ({
  walked: sql.literal("1"),
  probed: sql.literal("2.5"),
  hashed: sql.literal("0.2"),
  gatheredPartner: sql.literal("2.5"),
  gathered: sql.literal("0.4")
})

/** A walk gives up after this many times the rows it is expected to take. */
const patience = "8"

/** The size of a page as a number in the statement: a plan for an unknown size would be made for a tenth of everything. */
const literalSize = (sql: SqlClient.SqlClient, page: PageRequest): Fragment =>
  sql.literal(String(Math.trunc(page.size)))

/** How the keys of a page are written in SQL. */
interface Keys {
  readonly keys: Fragment
  readonly keyOrder: Fragment
}

/** The keys of a page of what passes the filters, all of which is counted: the tables `total` and `page`. */
export const filteredKeys = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  scope: Scope,
  page: PageRequest,
  filters: ReadonlyArray<Fragment>,
  { keys, outer }: Keys & { readonly outer: Fragment }
): Fragment => {
  const owner = sql.literal(`item.${listing.owner}`)
  const size = literalSize(sql, page)
  return sql`
    matched as materialized (
      select ${keys} from ${sql.literal(listing.table)} item
      where ${sql.literal(listing.kept)} and ${scoped(sql, scope).holds(owner)} and ${sql.and(filters)}
    ),
    total as (select count(*) as value from matched),
    page as materialized (
      select matched.id from matched order by ${outer} limit ${size} offset ${BigInt(offsetOf(page))}
    )`
}

/**
 * The keys of a page of everything in scope, and the total from the maintained counts: the tables `total` and `page`.
 *
 * The keys come by the cheapest of three ways: the tree's index in the asked order, when the scope is a whole tree; the
 * same index, leaving out what is not in scope, when the scope is a large part of the tree; or all of the scope, sorted.
 * The second way gives up in favour of the third when the scope's records lie deep in the order.
 *
 * Planning takes several times as long as running. So the statement chooses its way by the counts, and hides its
 * parameters from the planner in subqueries: a plan made for their values is never cheaper, and PostgreSQL keeps one.
 */
export const plainKeys = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  scope: Scope,
  page: PageRequest,
  { keyOrder, keys, walkable }: Keys & { readonly walkable: boolean }
): Fragment => {
  const cost = costs(sql)
  const given = sql`(select ${scope.partner_id}::uuid)`
  const inside = subtree(sql, sql.literal("total.top"))
  const table = sql.literal(listing.table)
  const kept = sql.literal(listing.kept)
  const owner = sql.literal(`item.${listing.owner}`)
  const size = literalSize(sql, page)
  const total = sql`
    total as materialized (
      select top, root_id, value, skip, least(skip + ${size}, value) as wanted, hashed < probed as hash,
        case
          when value <= skip then 'none'
          when whole then 'whole'
          when rows * ${cost.walked} + least(hashed, probed) < gathered then 'walk'
          else 'gather'
        end as way,
        least(rows * ${sql.literal(patience)}, 1e9)::bigint as patience
      from (${estimates(sql, listing, given, page)}) estimated
    )`
  const whole = sql`
    select item.id from total cross join lateral (
      select item.id from ${table} item where item.root_id = total.root_id and ${kept}
      order by ${keyOrder} limit ${size} offset total.skip
    ) item where total.way = 'whole'`
  const gathered = (condition: Fragment): Fragment =>
    sql`
    select item.id from total cross join lateral (
      select item.id from ${inside.members} join ${table} item on ${owner} = inside.descendant_id
      where ${kept} order by ${keyOrder} limit ${size} offset total.skip
    ) item where ${condition}`
  if (!walkable) {
    return sql`${total},
      page as materialized ((${whole}) union all (${gathered(sql`total.way in ('walk', 'gather')`)}))`
  }
  return sql`${total},
    walked as materialized (
      select item.* from total cross join lateral (
        select item.* from (
          select ${keys}, ${owner} as owner from ${table} item
          where item.root_id = total.root_id and ${kept}
          order by ${keyOrder} limit total.patience
        ) item
        where case when total.hash
          then ${subtree(sql, given).holdsHashed(sql.literal("item.owner"))}
          else ${inside.holdsEach(sql.literal("item.owner"))}
        end
        order by ${keyOrder} limit total.wanted
      ) item where total.way = 'walk'
    ),
    page as materialized (
      (${whole}) union all (
        select item.id from walked item
        where (select count(*) from walked) = (select wanted from total)
        order by ${keyOrder} limit ${size} offset (select skip from total)
      ) union all (
        ${
    gathered(sql`
          total.way = 'gather' or total.way = 'walk' and (select count(*) from walked) < total.wanted`)
  }
      )
    )`
}

/** What is known of the scope: its tree, its exact total, and what each way to its page is expected to cost. */
const estimates = <Field extends string>(
  sql: SqlClient.SqlClient,
  listing: Listing<Field>,
  given: Fragment,
  page: PageRequest
): Fragment => {
  const count = sql.literal(listing.count)
  const cost = costs(sql)
  return sql`
    select top, root_id, whole, value, skip, rows, rows * ${cost.probed} as probed, partners * ${cost.hashed} as hashed,
      partners * ${cost.gatheredPartner} + folded * ${cost.gathered} as gathered
    from (
      select top.id as top, top.root_id, top.parent_id is null as whole, page.skip, of_top.partners,
        of_top.${count} as folded,
        of_top.${count} + coalesce((
          select sum(delta.${count}) from subtree_count_delta delta
          where ${subtree(sql, sql.literal("top.id")).holdsEach(sql.literal("delta.partner_id"))}
        ), 0) as value,
        (page.skip + ${literalSize(sql, page)})::float8
          * (select of_root.${count} from subtree_count of_root where of_root.partner_id = top.root_id)
          / greatest(of_top.${count}, 1) as rows
      from (select ${BigInt(offsetOf(page))}::bigint as skip offset 0) page,
        partner top join subtree_count of_top on of_top.partner_id = top.id
      where top.id = ${given}
      offset 0
    ) counted`
}
