import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Renders the schema, one line per table, column, constraint and index: the same text on every version and on PGlite. */
export const schemaOf = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly line: string }>`
    with ours as (
      select oid, relname, reloptions from pg_class where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace
    )
    select line from (
      select relname || ' ' || coalesce(reloptions::text, '') as line, relname, 0 as kind, 0 as place from ours
      union all
      select format('  %s %s%s%s%s', attname, format_type(atttypid, atttypmod),
          case when attnotnull then ' not null' else '' end,
          case when attcollation <> 0 and attcollation <> (select typcollation from pg_type where pg_type.oid = atttypid)
            then ' collate ' || (select quote_ident(collname) from pg_collation where pg_collation.oid = attcollation)
            else '' end,
          case attidentity when 'a' then ' identity' else '' end
            || coalesce(' default ' || (
              select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = attrelid and adnum = attnum
            ), '')),
        relname, 1, attnum
      from pg_attribute join ours on ours.oid = attrelid where attnum > 0 and not attisdropped
      union all
      select format('  constraint %s %s', conname, pg_get_constraintdef(pg_constraint.oid)), relname, 2, 0
      from pg_constraint join ours on ours.oid = conrelid where contype <> 'n'
      union all
      select '  ' || pg_get_indexdef(indexrelid), relname, 3, 0 from pg_index join ours on ours.oid = indrelid
    ) lines
    order by relname, kind, place, line`
  return `${rows.map(({ line }) => line).join("\n")}\n`
})
