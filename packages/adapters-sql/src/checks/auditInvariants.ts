import { type Invariant } from "./Finding.ts"

/**
 * Selects each stored count as a part of a larger one: hours of a day, days of all time, actions of all entries. Each larger
 * count must be the sum of its parts.
 */
const sums = `
  select root_id, field, value, 'day' as grain, date_trunc('day', starts_at, 'UTC') as starts_at, entries
  from audit_count where grain = 'hour'
  union all
  select root_id, field, value, 'ever', '-infinity', entries from audit_count where grain = 'day'
  union all
  select root_id, 'all', '', grain, starts_at, entries from audit_count where field = 'action'`

/** Counts the entries that the stored counts already include, by action and hour, and by busy actor. */
const actual = `
  select partner.root_id, 'action' as field, item.action as value, 'hour' as grain,
    date_trunc('hour', item.at, 'UTC') as starts_at, count(*) as entries
  from audit item join partner on partner.id = item.partner_id
  where item.position <= (select folded_until from audit_count_fold) group by 1, 3, 5
  union all
  select stored.root_id, 'actor', stored.value, 'ever', '-infinity', (
    select count(*) from audit item join partner on partner.id = item.partner_id
    where item.actor = stored.value and partner.root_id = stored.root_id
      and item.position <= (select folded_until from audit_count_fold)
  )
  from audit_count stored where stored.field = 'actor'`

/**
 * The invariants of the audit. The stored counts by action and hour, and those of busy actors, are compared with the entries. All
 * other counts are compared with the sums of smaller counts.
 */
export const auditInvariants: ReadonlyArray<Invariant> = [
  [
    "Stored counts of audit entries equal the actual counts",
    `select root_id::text as example from (
        select root_id, field, value, grain, starts_at, entries from (${actual}) actual
        union all
        select root_id, field, value, grain, starts_at, -entries from audit_count
        where field = 'action' and grain = 'hour' or field = 'actor'
        union all
        (select summed.root_id, 'sum of ' || field, value, grain, starts_at, sum(entries) from (${sums}) summed
          where grain <> 'hour' or field = 'all' group by 1, 2, 3, 4, 5)
        union all
        select root_id, 'sum of ' || field, value, grain, starts_at, -entries * (case when field = 'all' and grain <> 'hour' then 2 else 1 end)
        from audit_count where field <> 'actor' and not (field = 'action' and grain = 'hour')
      ) compared group by root_id, field, value, grain, starts_at having sum(entries) <> 0`
  ]
]
