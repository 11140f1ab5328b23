import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Adds a column for the API client that used a refresh token. Makes the lender's references of contracts unique.
 *
 * The migration does not fail if several proposals already have the same reference. The oldest proposal keeps the
 * reference. The others are marked with `reference_repeated`, and the unique index omits them. They keep their status
 * and are still polled, because only the lender knows which of them is a loan. No further proposal can get such a
 * reference.
 */
export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table refresh_token add column spent_by text`

  yield* sql`alter table proposal add column reference_repeated boolean not null default false`
  const repeated = yield* sql<{ readonly id: string }>`
    update proposal set reference_repeated = true where id in (
      select id from (
        select id, row_number() over (partition by facts ->> 'reference' order by created_at, id) as position
        from proposal where facts ->> 'reference' is not null
      ) referenced where position > 1
    ) returning id`
  yield* sql`create unique index proposal_reference on proposal ((facts ->> 'reference')) where not reference_repeated`
  if (repeated.length === 0) return
  yield* Effect.annotateLogs(
    Effect.logError(
      "proposals with the lender reference of an older proposal found; ask the lender which contracts are loans"
    ),
    { count: repeated.length, proposal_ids: repeated.slice(0, 20).map(({ id }) => id) }
  )
})
