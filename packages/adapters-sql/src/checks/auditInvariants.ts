import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { type Check, type Finding, maxExamples, runQueries } from "./Finding.ts"
import { reportProgress, runInSnapshot } from "./snapshots.ts"

/**
 * Selects the stored counts that must add up to another stored count, each with the key of the other count. Hours add
 * up to their day, days to all time, and actions to all entries.
 */
const sums = `
  select root_id, field, value, 'day' as grain, date_trunc('day', starts_at, 'UTC') as starts_at, entries
  from audit_count where grain = 'hour'
  union all
  select root_id, field, value, 'ever', '-infinity', entries from audit_count where grain = 'day'
  union all
  select root_id, 'all', '', grain, starts_at, entries from audit_count where field = 'action'`

/**
 * Nearly all entries are counted, so the index on the position would read all of them. The sum hides the column from
 * the planner, which then uses the index on the time or the actor.
 */
const isCounted = "item.position + 0 <= (select folded_until from audit_count_fold)"

/** Compares the stored counts per action and hour with the entries from `from` to `to`. Both are midnights in UTC. */
const hoursOf = (from: string, to: string) => `
  select root_id::text as example from (
    select partner.root_id, item.action as value, date_trunc('hour', item.at, 'UTC') as starts_at, count(*) as entries
    from audit item join partner on partner.id = item.partner_id
    where ${isCounted} and item.at >= '${from}'::timestamptz and item.at < '${to}'::timestamptz group by 1, 2, 3
    union all
    select root_id, value, starts_at, -entries from audit_count
    where field = 'action' and grain = 'hour' and starts_at >= '${from}'::timestamptz and starts_at < '${to}'::timestamptz
  ) compared group by root_id, value, starts_at having sum(entries) <> 0`

/**
 * Compares the stored counts of busy actors with their entries, for one of `parts` groups of actors. An index on the
 * actor has the default collation, and the stored values have another one.
 */
const actorsOf = (part: number, parts: number) => `
  select stored.root_id::text as example from audit_count stored
  where stored.field = 'actor' and abs(hashtext(stored.value)::bigint) % ${parts} = ${part} and stored.entries <> (
    select count(*) from audit item join partner on partner.id = item.partner_id
    where item.actor = stored.value collate "default" and partner.root_id = stored.root_id and ${isCounted}
  )`

/** Selects the stored counts that differ from the sum of their parts. */
const wrongSums = `
  select root_id::text as example from (
    (select summed.root_id, field, value, grain, starts_at, sum(entries) as entries from (${sums}) summed
      where grain <> 'hour' or field = 'all' group by 1, 2, 3, 4, 5)
    union all
    select root_id, field, value, grain, starts_at, -entries * (case when field = 'all' and grain <> 'hour' then 2 else 1 end)
    from audit_count where field <> 'actor' and not (field = 'action' and grain = 'hour')
  ) compared group by root_id, field, value, grain, starts_at having sum(entries) <> 0`

const invariant = "Stored counts of audit entries equal the actual counts"

/** Number of entries of busy actors that one query compares. */
const actorEntries = 20_000

/** Maximum number of queries for the days, and for the actors. It limits the queries for entries of many years. */
const maxPieces = 500

const dayMs = 86_400_000

const text = (millis: number): string => new Date(millis).toISOString()

/**
 * Compares the stored counts with the audit entries that they include. Each query covers at least one day and has a
 * snapshot of its own, so no query takes long.
 */
export const checkAudit: Check = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [range] = yield* sql<{ readonly first: Date | null; readonly last: Date | null; readonly busy: number }>`
    select (select coalesce(sum(entries), 0)::float8 from audit_count where field = 'actor') as busy,
      least((select min(at) from audit), (select min(starts_at) from audit_count where grain = 'hour')) as first,
      greatest((select max(at) from audit), (select max(starts_at) from audit_count where grain = 'hour')) as last`
  const first = Math.floor((range?.first?.getTime() ?? 0) / dayMs) * dayMs
  const last = range?.last?.getTime() ?? first
  const actorParts = Math.min(Math.ceil((range?.busy ?? 0) / actorEntries), maxPieces)
  const queries = [wrongSums, ...Array.from({ length: actorParts }, (_, part) => actorsOf(part, actorParts))]
  const stepMs = Math.max(1, Math.ceil((last - first) / dayMs / maxPieces)) * dayMs
  // The range covers the entries and the stored counts, so it also finds counts for days without entries.
  for (let from = first; from <= last; from += stepMs) queries.push(hoursOf(text(from), text(from + stepMs)))
  const findings: Array<Finding> = []
  for (const [index, query] of queries.entries()) {
    yield* reportProgress(`part ${index + 1} of ${queries.length} of the audit`)
    findings.push(...yield* runInSnapshot(runQueries([[invariant, query]])))
  }
  const count = findings.reduce((sum, finding) => sum + finding.count, 0)
  const examples = findings.flatMap((finding) => finding.examples)
  return count === 0 ? [] : [{ invariant, count, examples: [...new Set(examples)].slice(0, maxExamples) }]
}).pipe(withoutTransforms)
