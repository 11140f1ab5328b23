import { type Application, type ApplicationPlacement, placementOf } from "@lastro/domain/loan"
import { type Timestamp } from "@lastro/domain/values"
import { type SqlClient } from "effect/sql"
import { type Fragment } from "effect/sql/Statement"
import { type ApplicationCount } from "../hierarchy/countColumns.ts"

/**
 * Returns the status under which an application is counted. A QUOTED application counts as QUOTED until `live_until`, and
 * as EXPIRED if its last event left no valid offer (`live_until` is null).
 */
export const countOfPlacement = ({ live_until, stage }: ApplicationPlacement): ApplicationCount =>
  stage === "QUOTED" && live_until === null
    ? "applications_expired"
    : `applications_${stage.toLowerCase() as Lowercase<typeof stage>}`

interface CountChanges {
  /** The changes of the counts, each with its status. */
  readonly counts: ReadonlyArray<readonly [ApplicationCount, number]>
  /** The applications that move from `QUOTED` to `EXPIRED` at each time. A negative number cancels an earlier change. */
  readonly expiries: ReadonlyArray<readonly [Timestamp, number]>
}

/** Returns a decrease by 1 of the old key, and an increase by 1 of the new one. A null key has no count. */
const moveCount = <K>(from: K | null, to: K | null): ReadonlyArray<readonly [K, number]> => {
  if (from === to) return []
  return [...from === null ? [] : [[from, -1] as const], ...to === null ? [] : [[to, 1] as const]]
}

const changesOf = (before: Application | undefined, after: Application): CountChanges => {
  const old = before === undefined ? undefined : placementOf(before)
  const now = placementOf(after)
  return {
    counts: moveCount(old === undefined ? null : countOfPlacement(old), countOfPlacement(now)),
    expiries: moveCount(old?.live_until ?? null, now.live_until)
  }
}

/**
 * Returns the common table expressions (`name as (…)`) that record how a new or changed application changes the counts
 * by status. `rows` is the name of a table expression with the column `partner_id`. It has one row if the application
 * was written, and otherwise none.
 */
export const recordCounts = (
  sql: SqlClient.SqlClient,
  rows: string,
  before: Application | undefined,
  after: Application
): ReadonlyArray<Fragment> => {
  const { counts, expiries } = changesOf(before, after)
  const changed = [...before === undefined ? [["applications", 1] as const] : [], ...counts]
  const written = sql.literal(rows)
  return [
    ...changed.length === 0 ? [] : [sql`recounted as (
        insert into subtree_count_delta (partner_id, partners, users, ${
      sql.literal(changed.map(([name]) => name).join(", "))
    })
        select partner_id, 0, 0, ${sql.literal(changed.map(([, change]) => String(change)).join(", "))} from ${written}
      )`],
    ...expiries.length === 0 ? [] : [sql`expiring as (
        insert into application_expiry (partner_id, due_at, applications)
        select partner_id, due.at, due.applications from ${written}
          cross join unnest(${expiries.map(([at]) => at)}::timestamptz[], ${
      expiries.map(([, change]) => change)
    }::integer[]) due (at, applications)
      )`]
  ]
}
