import { foldCounts } from "@lastro/adapters-sql"
import { vacuum } from "@lastro/seed"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * For each status: the share of applications that change to it, the status from which they change, and their age in
 * hours.
 */
const shares = [
  { stage: "QUOTING", was: "REJECTED", share: 0.0005, hours: 0.2 },
  { stage: "QUOTED", was: "QUOTED", share: 0.003, hours: 12 },
  { stage: "CONTRACTING", was: "CONTRACTED", share: 0.01, hours: 72 },
  { stage: "REFUNDING", was: "CONTRACTED", share: 0.0005, hours: 240 }
] as const

/**
 * Makes a share of the seeded applications look as if they were opened recently. Every status then occurs, although all
 * seeded applications are finished. Changes only the columns for lists, and their counts. The offers of these
 * applications expire in 12 to 24 hours.
 */
export const openLately = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const { hours, share, stage, was } of shares) {
    const isQuoted = stage === "QUOTED"
    const before = sql.literal(was === "QUOTED" ? "applications_expired" : `applications_${was.toLowerCase()}`)
    const after = sql.literal(`applications_${stage.toLowerCase()}`)
    yield* sql`
      with chosen as materialized (
        select id from application
        where stage = ${was} and live_until <= now()
          and hashtextextended(id::text || ${stage}, 7) & 1048575 < ${share} * 1048576
            * (select count(*) from application) / (select count(*) from application where stage = ${was})
      ),
      changed as (
        update application set
          stage = ${stage},
          created_at = now() - random() * ${hours} * interval '1 hour',
          updated_at = now() - random() * 0.1 * interval '1 hour',
          live_until = case when ${isQuoted} then date_trunc('minute', now() + (12 + random() * 12) * interval '1 hour')
            else '-infinity' end
        from chosen where application.id = chosen.id
        returning application.partner_id, application.live_until
      ),
      expiring as (
        insert into application_expiry (partner_id, due_at, applications)
        select partner_id, live_until, count(*) from changed where ${isQuoted} group by partner_id, live_until
      )
      insert into subtree_count_delta (partner_id, partners, users, ${before}, ${after})
      select partner_id, 0, 0, -count(*), count(*) from changed group by partner_id`.unprepared
  }
  while ((yield* foldCounts) > 0);
  yield* vacuum()
})
