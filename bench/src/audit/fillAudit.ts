import { foldAuditCounts } from "@lastro/adapters-sql"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql"

const seconds = (from: number, to: number): string => ((to - from) / 1_000).toFixed(0)

/**
 * Inserts `count` audit entries of the last two years. A third of the entries are about actions of ten API clients, the
 * others about actions of users. Each record has four entries. The most frequent of the ten actions occurs about six
 * times as often as the rarest. Drops the indexes before the insert and rebuilds them after it. Then adds the entries to
 * the stored counts.
 */
export const fillAudit = Effect.fn("fillAudit")(function*(count: number) {
  const sql = yield* SqlClient.SqlClient
  const start = performance.now()
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`
      select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '1GB', true),
        set_config('session_replication_role', 'replica', true)`
    const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'audit' and indexname <> 'audit_pkey'`
    for (const { name } of indexes) yield* sql`drop index ${sql(name)}`
    yield* sql`
      create temp table numbered on commit drop as
      select row_number() over (order by md5(id::text)) - 1 as number, id from partner`
    yield* sql`
      insert into audit (id, at, actor, action, subject_id, partner_id, before, after, changed, request_id)
      select gen_random_uuid(), now() - (${count}::int - entry.n) * interval '2 years' / ${count}::int,
        case when entry.chance < 0.33 then 'client ' || floor(entry.chance * 30)::int
          else md5('user ' || entry.number % 5 || numbered.id)::uuid::text end,
        (array['application.create', 'application.kyc_read', 'application.kyc', 'application.accept', 'user.create',
          'user.update', 'partner.update', 'partner.create', 'user.delete', 'application.cancel']
        )[1 + floor(power(random(), 2) * 10)::int],
        md5('record ' || entry.n / 4)::uuid::text, numbered.id, null, '{"status":"ACTIVE","name":"A***a"}', '{status,name}',
        'request ' || entry.n
      from (
        select n, random() as chance, floor(random() * 1000000)::int as number from generate_series(1, ${count}::int) n
        offset 0
      ) entry
      join numbered on numbered.number = entry.number % (select count(*) from numbered)`.unprepared
    for (const { definition } of indexes) yield* sql.unsafe(definition).unprepared
  }))
  yield* sql.withTransaction(Effect.andThen(
    sql`select set_config('statement_timeout', '0', true)`,
    sql`analyze audit`
  ))
  const inserted = performance.now()
  yield* Effect.repeat(foldAuditCounts, { until: (counted) => counted === 0 })
  yield* Console.log(
    `${count} audit entries inserted in ${seconds(start, inserted)} s, counted in ${
      seconds(inserted, performance.now())
    } s`
  )
})
