import { type AuditFilters } from "@lastro/domain/audit"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { locationOf, subtree } from "../hierarchy/subtree.ts"
import { auditColumns } from "./auditRow.ts"

/**
 * The filters by exact text. Each has an index. The indexes on `actor` and `action` are sorted by time, like the list.
 * The index on `subject_id` is not.
 */
const textFilters = ["subject_id", "actor", "action"] as const

/**
 * The filters, sort and page size of a query, without the values. Queries with the same shape share one prepared
 * statement.
 */
interface AuditShape {
  readonly texts: ReadonlyArray<typeof textFilters[number]>
  readonly hasPartner: boolean
  readonly hasFrom: boolean
  readonly hasTo: boolean
  readonly direction: "asc" | "desc"
  readonly size: number
  readonly budget: number
}

/** The parameters of the statement. Each call binds all of them, even those that its filters do not use. */
export const auditValues = [
  "top",
  "skip",
  ...textFilters,
  "partner_id",
  "from",
  "to",
  "grains",
  "sinces",
  "untils",
  "otherSinces",
  "otherUntils"
] as const

/** The value or the placeholder of each parameter. */
export type AuditValues = Readonly<Record<typeof auditValues[number], unknown>>

/** Maximum number of partners in a scope for which entries may be read partner by partner. */
export const fewPartners = 500

/**
 * Returns which stored counts give the total of a whole tree, or undefined if none fit these filters. Counts exist for
 * all entries, for each action, and for each busy actor.
 */
const countedField = (
  { hasFrom, hasPartner, hasTo, texts }: AuditShape
): "all" | "action" | "actor" | undefined => {
  const [text, ...others] = texts
  if (hasPartner || others.length > 0 || text === "subject_id" || text === "actor" && (hasFrom || hasTo)) {
    return undefined
  }
  return text ?? "all"
}

/** Returns the filters, sort and size that select the prepared statement of a list. */
export const auditShape = (
  filters: AuditFilters,
  { budget, direction, size }: Pick<AuditShape, "budget" | "direction" | "size">
): AuditShape => ({
  texts: textFilters.filter((name) => filters[name] !== undefined),
  hasPartner: filters.partner_id !== undefined,
  hasFrom: filters.from !== undefined,
  hasTo: filters.to !== undefined,
  direction,
  size,
  budget
})

/**
 * Selects a page of audit entries and the total. Examines at most a few times `budget` entries. If that is not enough,
 * the total is null.
 *
 * The statement chooses one of three ways when it runs:
 * - `walk`: Reads the index in the order of the list until the page is complete. Only for a whole tree with a stored
 * total. If the page needs more entries than the budget, but the whole tree has fewer, `scan` follows.
 * - `scan`: Reads all entries of the partners in the scope, if there are few partners. An actor in a whole tree uses
 * `find` instead, because the entries of an actor are usually all in one tree.
 * - `find`: Reads all entries with the subject, actor or action, or in the time range, from an index.
 *
 * Subqueries hide the values from the planner, so one plan serves every value. Each read has a `limit` before the
 * conditions that no index checks, so the budget bounds the entries read, not only the matches.
 */
export const auditStatement = (sql: SqlClient.SqlClient, shape: AuditShape, values: AuditValues): Fragment => {
  const { direction, hasFrom, hasPartner, hasTo, texts } = shape
  const order = (alias: string) => sql.literal(`${alias}.at ${direction}, ${alias}.id ${direction}`)
  const limit = sql.literal(String(shape.budget + 1))
  const budget = sql.literal(String(shape.budget))
  const few = sql.literal(String(fewPartners))
  const size = sql.literal(String(shape.size))
  const skip = sql`(select ${values.skip}::bigint)`
  const topId = sql`(select ${values.top}::uuid)`
  const equals = (name: typeof textFilters[number]) => sql`item.${sql.literal(name)} = (select ${values[name]}::text)`
  const times = [
    ...hasFrom ? [sql`item.at >= (select ${values.from}::timestamptz)`] : [],
    ...hasTo ? [sql`item.at < (select ${values.to}::timestamptz)`] : []
  ]
  const partner = hasPartner ? [sql`item.partner_id = (select ${values.partner_id}::uuid)`] : []
  const [key, ...others] = texts
  const keyed = key === undefined ? [] : [equals(key)]
  const indexed = sql.and([...keyed, ...key === "subject_id" ? [] : times])
  const filtered = sql.and([...others.map(equals), ...partner, ...key === "subject_id" ? times : []])
  const field = countedField(shape)
  const value = field === undefined || field === "all" ? sql`''` : sql`(select ${values[field]}::text)`
  const rootOf = sql`(select root_id from partner where partner.id = item.partner_id)`
  const columns = sql`item.id, item.at, item.partner_id, item.actor, item.action, item.subject_id`
  const stored = field === undefined ? sql`select null::bigint as value, null::bigint as folded from scope` : sql`
      select case when whole and (select count(*) from newer) <= ${budget} and (select count(*) from other) <= ${budget} then (
        select ${sql.literal(field === "actor" ? "sum(part.entries)" : "coalesce(sum(part.entries), 0)")}::bigint
        from unnest(
          (select ${values.grains}::text[]), (select ${values.sinces}::timestamptz[]), (select ${values.untils}::timestamptz[])
        ) piece (grain, since, until)
        cross join lateral (
          select sum(stored.entries) as entries from audit_count stored
          where stored.root_id = scope.root_id and stored.field = ${
    sql.literal(`'${field}'`)
  } and stored.value = ${value}
            and stored.grain = piece.grain and stored.starts_at >= piece.since and stored.starts_at < piece.until
          offset 0
        ) part
      ) + (
        select count(*) from newer item where ${sql.and([...keyed, ...times])} and ${rootOf} = scope.root_id
      ) + (
        select count(*) from other item
        where item.position <= (select folded_until from folded) and ${rootOf} = scope.root_id
      ) end as value, (select folded_until from folded) as folded
      from scope`
  const isScannable = (() => {
    if (key === "subject_id") return sql`false`
    if (hasPartner) return sql`true`
    return sql`partners <= ${few} ${sql.literal(key === "actor" ? "and not whole" : "")}`
  })()
  /** Number of matching entries of the tree up to the end of the page. */
  const walkedEnd = sql`least(${skip} + ${size}, chosen.value)`
  return sql`
    with scope as materialized (
      select top.id as top, top.root_id, top.parent_id is null as whole, of_top.partners
      from partner top join subtree_count of_top on of_top.partner_id = top.id where top.id = ${topId}
      offset 0
    ),
    ${
    field === undefined ? sql.literal("") : sql`
    folded as materialized (select folded_until from audit_count_fold),
    newer as materialized (
      select ${columns} from audit item
      where item.position > (select folded_until from folded) and (select whole from scope)
      order by item.position limit ${limit}
    ),
    other as materialized (
      select item.partner_id, item.position
      from unnest((select ${values.otherSinces}::timestamptz[]), (select ${values.otherUntils}::timestamptz[])) piece (since, until)
      cross join lateral (
        select item.partner_id, item.position from audit item
        where ${sql.and(keyed)} and item.at >= piece.since and item.at < piece.until and (select whole from scope)
        order by item.at limit ${limit}
      ) item
      limit ${limit}
    ),`
  }
    stored as materialized (${stored}),
    chosen as materialized (
      select scope.*, stored.value, case
        when stored.value is not null and (
          partners > ${few} or stored.value > ${budget} or stored.value * 100 > stored.folded
        ) then 'walk'
        when ${isScannable} then 'scan'
        else 'find'
      end as way
      from scope cross join stored
    ),
    walked as materialized (
      select item.id, item.at from chosen cross join lateral (
        select item.id, item.at from (
          select item.id, item.at, item.partner_id from audit item where ${indexed} order by ${
    order("item")
  } limit ${limit}
        ) item
        where ${rootOf} = chosen.root_id
        order by ${order("item")} limit ${walkedEnd}
      ) item
      where chosen.way = 'walk' and ${walkedEnd} <= ${budget}
    ),
    tried as materialized (
      select top, root_id, whole, value, case
        when way = 'walk' and (select count(*) from walked) < ${walkedEnd} and greatest(partners, value) <= ${budget}
        then 'scan' else way
      end as way
      from chosen
    ),
    scanned as materialized (
      select item.* from (
        select partner.id from tried join subtree_region part on part.top_id = tried.top join partner using (region_id)
        where tried.way = 'scan'
        union all
        select part.partner_id from tried join subtree_partner part on part.top_id = tried.top where tried.way = 'scan'
      ) owner cross join lateral (
        select ${columns} from audit item where ${
    sql.and([sql`item.partner_id = owner.id`, ...partner, ...times])
  } offset 0
      ) item
      limit ${limit}
    ),
    way as materialized (
      select case when way = 'scan' and (select count(*) from scanned) > ${budget} then 'find' else way end as way,
        root_id, whole, value
      from tried
    ),
    found as materialized (
      select item.* from way cross join lateral (
        select ${columns} from audit item where ${indexed}
        order by ${key === "subject_id" ? sql`item.subject_id, item.position` : order("item")} limit ${limit}
      ) item
      where way.way = 'find'
    ),
    matched as materialized (
      select item.id, item.at from scanned item
      where (select way from way) = 'scan' and ${sql.and(texts.map(equals))}
      union all
      select item.id, item.at from found item
      where (select count(*) from found) <= ${budget} and ${filtered} and case when (select whole from way)
        then ${rootOf} = (select root_id from way)
        else ${subtree(sql, topId).containsHashed(locationOf(sql, sql.literal("item.partner_id")))} end
    ),
    total as materialized (
      select case way
        when 'walk' then case when (select count(*) from walked) = least(${skip} + ${size}, value) or value <= ${skip} then value end
        when 'scan' then (select count(*) from matched)
        when 'find' then case when (select count(*) from found) <= ${budget} then (select count(*) from matched) end
      end as value from way
    ),
    page as materialized (
      select keyed.id from (
        select id, at from walked where (select way from way) = 'walk' union all select id, at from matched
      ) keyed
      where (select value from total) is not null
      order by ${order("keyed")} limit ${size} offset ${skip}
    )
    select total.value as total, ${sql.literal(auditColumns)}
    from total left join (page join audit item on item.id = page.id) on true
    order by ${order("item")}`
}
