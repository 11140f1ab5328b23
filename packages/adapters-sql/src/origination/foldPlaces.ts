import { addMillis, currentTimestamp } from "@lastro/domain/values"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { locks } from "../database/locks.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { reachPlaces } from "./places.ts"

/** Maximum number of changes per transaction. It keeps transactions short. */
const batchSize = 5_000

/**
 * A new place is stored only after this time in milliseconds. Until then, a node whose clock is behind can still read
 * the earlier place.
 */
const marginMs = 60_000

const fold = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [lock] = yield* locks(sql).attempt("counts", "places")
  if (lock?.taken !== true) return 0
  const [folded] = yield* sql<{ readonly changes: number }>`
    with taken as (
      delete from application_place_delta
      where id in (select id from application_place_delta order by id limit ${batchSize})
      returning root_id, region_id, partner_id, place, applications
    ),
    sums as (
      select part.part, part.part_id, taken.place, sum(taken.applications) as applications
      from taken cross join lateral (
        values ('tree', taken.root_id), ('region', taken.region_id), ('partner', taken.partner_id)
      ) part (part, part_id)
      group by part.part, part.part_id, taken.place having sum(taken.applications) <> 0
    ),
    folded as (
      insert into application_place_count (part, part_id, place, applications)
      select part, part_id, place, applications from sums
      on conflict (part, part_id, place) do update
        set applications = application_place_count.applications + excluded.applications
    )
    select count(*)::int as changes from taken`
  return folded?.changes ?? 0
})

/**
 * Updates the stored places of applications whose place has changed by time alone. Then adds the pending changes to the
 * stored counts per place, for each tree, region and partner. Returns the number of both. Returns 0 if nothing is
 * pending or a lock timed out. Skips the counts while another node updates them. Queries include pending changes, so
 * lists and totals are always exact.
 */
export const foldPlaces = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const at = addMillis(yield* currentTimestamp, -marginMs)
  const reached = yield* reachPlaces(sql, at)
  return reached.length + (yield* sql.withTransaction(fold(sql)))
}).pipe(
  // A bulk load can lock the tables for minutes. The changes stay pending for a later run.
  Effect.catchIf(({ reason }) => reason._tag === "LockTimeoutError", () => Effect.succeed(0)),
  withoutTransforms,
  Effect.withSpan("foldPlaces")
)
