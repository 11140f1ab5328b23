import { Effect } from "effect"
import { type SqlClient } from "effect/sql"
import { type ApplicationCount, countColumns, eachCount } from "../hierarchy/countColumns.ts"
import { ownCounts, placeCounts } from "./hierarchyInvariants.ts"
import { counted, type RepairStep } from "./Repair.ts"

/**
 * Selects the correct root and region of every partner that belongs to a tree. The top of a region stays its top. A
 * partner in a cycle belongs to no tree, so it is not selected.
 */
const down = `
  down (id, root_id, region_id) as (
    select id, id, id from partner where parent_id is null
    union all
    select partner.id, down.root_id, case when partner.region_id = partner.id then partner.id else down.region_id end
    from partner join down on partner.parent_id = down.id
  )`

const partners = `
  with recursive ${down}, changed as (
    update partner set root_id = down.root_id, region_id = down.region_id from down
    where partner.id = down.id and (partner.root_id, partner.region_id) is distinct from (down.root_id, down.region_id)
    returning partner.id
  )
  select count(*)::int as count from changed`

/**
 * Returns the statement that copies the root and region of each partner to its records in `table`. `isStale` is the SQL
 * condition of a record with a wrong copy.
 */
const copyStatement = (table: string, isStale: string) => `
  with changed as (
    update ${table} set root_id = partner.root_id, region_id = partner.region_id from partner
    where partner.id = ${table}.partner_id and (${isStale})
    returning ${table}.id
  )
  select count(*)::int as count from changed`

const isStale = (table: string) => `${table}.root_id <> partner.root_id or ${table}.region_id <> partner.region_id`

/**
 * Returns the statement that makes an index table equal to the rows of the table expression `up`. It deletes and
 * inserts only the rows that differ.
 */
const reindex = (table: string, columns: readonly [string, string], up: string) => `
  with recursive ${down}, ${up}, gone as (
    delete from ${table} where not exists (
      select from up where ${columns.map((column) => `up.${column} = ${table}.${column}`).join(" and ")}
    ) returning 1
  ), added as (
    insert into ${table} (${columns.join(", ")}) select ${columns.join(", ")} from up on conflict do nothing returning 1
  )
  select ((select count(*) from gone) + (select count(*) from added))::int as count`

const regionsAbove = `
  up (top_id, region_id) as (
    select down.id, down.id from down where down.region_id = down.id
    union all
    select partner.parent_id, up.region_id from up join partner on partner.id = up.top_id where partner.parent_id is not null
  )`

const partnersAbove = `
  up (top_id, partner_id, region_id) as (
    select down.id, down.id, down.region_id from down where down.region_id <> down.id
    union all
    select partner.parent_id, up.partner_id, up.region_id from up join partner on partner.id = up.top_id
    where partner.parent_id <> up.region_id
  )`

/** The steps that rebuild the root and region of all records, and then the hierarchy index. */
export const hierarchySteps = (sql: SqlClient.SqlClient): ReadonlyArray<RepairStep> => [
  ["Roots and regions of partners", counted(sql, partners)],
  [
    "Roots and regions of users",
    counted(
      sql,
      copyStatement(
        "app_user",
        "app_user.root_id <> partner.root_id or (app_user.region_id <> partner.region_id and app_user.deleted_at is null)"
      )
    )
  ],
  ["Roots and regions of applications", counted(sql, copyStatement("application", isStale("application")))],
  ["Roots and regions of proposals", counted(sql, copyStatement("proposal", isStale("proposal")))],
  ["Regions in the hierarchy index", counted(sql, reindex("subtree_region", ["top_id", "region_id"], regionsAbove))],
  ["Partners in the hierarchy index", counted(sql, reindex("subtree_partner", ["top_id", "partner_id"], partnersAbove))]
]

const isLive = "live_until > (select folded_until from application_expiry_fold)"

const conditionOf = (column: ApplicationCount): string => {
  const stage = column.slice("applications_".length).toUpperCase()
  if (stage === "QUOTED") return `stage = 'QUOTED' and ${isLive}`
  if (stage === "EXPIRED") return `stage = 'QUOTED' and not ${isLive}`
  return `stage = '${stage}'`
}

const countApplications = (column: ApplicationCount): string => `count(*) filter (where ${conditionOf(column)})`

const counts = `
  with ${ownCounts(countApplications)},
  real as (
    select above.top_id as partner_id, ${eachCount((column) => `sum(own.${column}) as ${column}`)}
    from own cross join lateral (
      select top_id from subtree_region where region_id = own.region_id
      union all
      select top_id from subtree_partner where subtree_partner.partner_id = own.id
    ) above
    group by above.top_id
  ),
  changed as (
    insert into subtree_count (partner_id, ${countColumns.join(", ")})
    select partner_id, ${countColumns.join(", ")} from real
    on conflict (partner_id) do update set ${countColumns.map((column) => `${column} = excluded.${column}`).join(", ")}
    where ${countColumns.map((column) => `subtree_count.${column} <> excluded.${column}`).join(" or ")}
    returning 1
  )
  select count(*)::int as count from changed`

/**
 * Counts all records again, and deletes the pending changes, because the new counts include them. Offers that expired
 * at least a minute ago are counted as expired. For each later offer, stores a pending change at its expiry.
 */
export const recount = (sql: SqlClient.SqlClient): RepairStep => [
  "Counts of subtrees",
  Effect.gen(function*() {
    yield* sql`
      insert into application_expiry_fold (folded_until)
      select coalesce(max(live_until), '-infinity') from application
      where live_until <= date_trunc('milliseconds', now()) - interval '1 minute'
      on conflict (singleton) do update set folded_until = excluded.folded_until`
    yield* sql`delete from application_expiry`
    yield* sql`
      insert into application_expiry (partner_id, due_at, applications)
      select partner_id, live_until, count(*) from application
      where live_until > (select folded_until from application_expiry_fold) group by partner_id, live_until`
    yield* sql`delete from subtree_count_delta`
    // Deleting pending changes is a repair, too. Report at least one change.
    return Math.max(yield* counted(sql, counts), 1)
  })
]

/**
 * Counts the applications in each place again, and deletes the pending changes, because the new counts include them.
 */
export const recountPlaces = (sql: SqlClient.SqlClient): RepairStep => [
  "Counts of places",
  Effect.gen(function*() {
    yield* sql`delete from application_place_delta`
    yield* sql`delete from application_place_count`
    return yield* counted(
      sql,
      `with added as (
        insert into application_place_count (part, part_id, place, applications) ${placeCounts} returning 1
      )
      select count(*)::int as count from added`
    )
  })
]
