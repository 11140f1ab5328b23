import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type AppliedFilter, hiddenConditionOf } from "./appliedFilters.ts"
import { type ListedTable } from "./Listing.ts"

/** Number of records that are read to estimate the share of matches. */
const sampleSize = "100"

/** Minimum matches in the sample. With fewer, the filter counts as rare and nothing is estimated. */
const minHits = "2"

/** Returns whether the index of a filter reads its whole list of matches first. */
export const isSearched = ({ match }: AppliedFilter): boolean => match === "contains" || match === "includes"

/** Returns the column of the table `search` with the pattern of a filter. */
const partColumn = (sql: SqlClient.SqlClient, { name }: AppliedFilter) => sql(`part ${name}`)

/**
 * Returns the condition with which an index finds records for a filter. A text is searched by its rarest part. For an
 * object, the condition also requires a stored object that is not empty, because the index contains no empty ones.
 */
export const searchCondition = (sql: SqlClient.SqlClient) => (filter: AppliedFilter): Fragment => {
  const column = sql.literal(`item.${filter.column}`)
  return filter.match === "includes"
    ? sql`${hiddenConditionOf(sql)(filter)} and ${column} <> '{}'`
    : sql`${column} like (select ${partColumn(sql, filter)} from search)`
}

/**
 * Defines the table `search`. For each searched text, it has the pattern of the part with the fewest matches in a
 * sample of the newest records. `is_rare` is true if few records match all of these patterns and the searched objects.
 * Records are sampled only if the condition `isLarge` on the table `scope` is true.
 */
export const selectSearch = (
  sql: SqlClient.SqlClient,
  { present, table }: ListedTable,
  searched: ReadonlyArray<AppliedFilter>,
  isLarge: Fragment
): Fragment => {
  const columns = sql.literal(searched.map(({ column }) => `item.${column}`).join(", "))
  const rarest = (filter: AppliedFilter) =>
    sql`coalesce((
          select pattern from (
            select '%' || part || '%' as pattern from unnest(string_to_array((select ${filter.second}::text), ' ')) part
          ) patterns
          order by (select count(*) from sample where ${sql.literal(filter.column)} like pattern) limit 1
        ), '%') as ${partColumn(sql, filter)}`
  const texts = searched.filter(({ match }) => match === "contains")
  const isFound = sql.and(searched.map((filter) =>
    filter.match === "includes"
      ? sql`${sql.literal(filter.column)} @> (select ${filter.value}::jsonb)`
      : sql`${sql.literal(filter.column)} like ${partColumn(sql, filter)}`
  ))
  const isSearchable = texts.length < searched.length
    ? sql`true`
    : sql.or(texts.map((filter) => sql`${partColumn(sql, filter)} <> '%'`))
  const parts = texts.length === 0 ? sql`true as "no parts"` : sql.csv(texts.map(rarest))
  return sql`sample as materialized (
      select item.* from scope cross join lateral (
        select ${columns} from ${sql.literal(table)} item where item.root_id = scope.root_id and ${sql.literal(present)}
        order by item.created_at desc, item.id desc limit ${sql.literal(sampleSize)}
      ) item where ${isLarge}
    ),
    search as materialized (
      select part.*, ${isSearchable} and (
        hits < ${sql.literal(minHits)} or hits * (select of_root from scope) <= (select budget from scope) * ${
    sql.literal(sampleSize)
  }
      ) as is_rare
      from (select ${parts} offset 0) part
        cross join lateral (select count(*) as hits from sample where ${isFound}) counted
    ),`
}
