import { Effect, Fiber } from "effect"
import { type SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { benchmark, dataFlags, shown, table, whole } from "./harness/benchmark.ts"
import { main, seededLastro } from "./harness/callers.ts"
import { database } from "./harness/database.ts"
import { generateLoad, type LoadResult } from "./harness/load.ts"
import { ascending, median, quantile } from "./harness/statistics.ts"
import { lanesOf } from "./server/operations.ts"

/** Seconds of a load. */
const seconds = 20

/** Number of entries of one timed insertion, and the number of timed insertions. */
const [inserted, insertions] = [2_000, 9]

const flags = {
  ...dataFlags,
  partners: whole("partners", 2_000, "Number of partners"),
  users: whole("users", 20_000, "Number of users"),
  applications: whole("applications", 2_000, "Number of applications"),
  entries: whole("entries", 5_000_000, "Number of audit entries"),
  perSecond: whole("per-second", 100, "Writes per second")
}

/** Maximum number of entries of a statement. */
const batch = 500_000

/** The time between two entries, and the time of the entries that are pruned, in milliseconds. */
const [intervalMs, monthMs] = [5_000, 30 * 86_400_000]

/** Inserts audit entries of all partners by 500 actors, at equal intervals back from now. */
const insertEntries = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, entries: number) {
  for (let first = 1; first <= entries; first += batch) {
    yield* sql`
    insert into audit (id, at, actor, action, subject_id, partner_id, changed)
    select uuidv7(), now() - number * ${intervalMs}::int * interval '1 millisecond', 'user:' || number % 500,
      (array['user.update', 'partner.update', 'application.quote'])[1 + number % 3], 'subject ' || number % 100000,
      partners.ids[1 + number % cardinality(partners.ids)], array['name']
    from generate_series(${first}::bigint, ${Math.min(first + batch - 1, entries)}::bigint) number,
      (select array_agg(id) as ids from partner) partners`
  }
})

/** Counts all entries in one statement. The nodes would count them in many small transactions. */
const countEntries = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  // The lock waits for a node that is counting. The next node continues after the last entry.
  yield* sql`lock table audit_count_fold in access exclusive mode`
  yield* sql`delete from audit_count`
  yield* sql`
    with hourly as materialized (
      select partner.root_id, item.action, date_trunc('hour', item.at, 'UTC') as hour, count(*) as entries
      from audit item join partner on partner.id = item.partner_id group by 1, 2, 3
    ),
    grained as (
      select hourly.*, grain, starts_at from hourly cross join lateral (
        values ('ever', '-infinity'::timestamptz), ('day', date_trunc('day', hour, 'UTC')), ('hour', hour)
      ) day (grain, starts_at)
    )
    insert into audit_count (root_id, field, value, grain, starts_at, entries)
    select root_id, 'all', '', grain, starts_at, sum(entries) from grained group by 1, 4, 5
    union all
    select root_id, 'action', action, grain, starts_at, sum(entries) from grained group by 1, 3, 4, 5
    union all
    select partner.root_id, 'actor', item.actor, 'ever', '-infinity', count(*)
    from audit item join partner on partner.id = item.partner_id group by 1, 3`
  yield* sql`update audit_count_fold set folded_until = (select max(position) from audit)`
})

/** Returns the median time of an insertion of single entries, in microseconds per entry. */
const timeInsertions = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const times: Array<number> = []
  for (let round = 0; round < insertions; round++) {
    const start = performance.now()
    yield* sql.unsafe(`do $$ declare owner uuid := (select id from partner limit 1); begin
      for number in 1..${inserted} loop
        insert into audit (id, at, actor, action, subject_id, partner_id, changed)
        values (uuidv7(), now(), 'user:' || number % 500, 'user.update', 'subject ' || number, owner, array['name']);
      end loop;
    end $$`)
    times.push((performance.now() - start) * 1_000 / inserted)
  }
  return median(times)
})

const row = (name: string, loads: ReadonlyArray<LoadResult>) => {
  const durations = ascending(loads.flatMap(({ accepted }) => accepted))
  const refused = loads.reduce((sum, load) => sum + load.refused + load.others, 0)
  return [
    name,
    String(durations.length),
    String(refused),
    ...[0.5, 0.99, 1].map((part) => shown(quantile(durations, part), 1))
  ]
}

/** Compares writes beside an empty audit, beside a large one, and while its counts are repaired and a month is pruned. */
export const audit = benchmark(
  "audit",
  "Compares writes with an empty audit, with a large one, and while it is repaired and pruned",
  flags,
  Effect.fnUntraced(function*({ entries, perSecond, ...size }) {
    const { callers, databaseUrl: DATABASE_URL, lastro: { url }, sql } = yield* seededLastro(size)
    /** Runs a command, and writes until it ends. Returns its duration in seconds. */
    const during = Effect.fnUntraced(function*(command: ReadonlyArray<string>) {
      const began = performance.now()
      const env = { PATH: process.env["PATH"], DATABASE_URL, LASTRO_LENDER: "sandbox", LASTRO_ISSUER: url }
      const running = yield* Effect.forkChild(Effect.promise(async () => {
        await promisify(execFile)(process.execPath, [main, ...command], { env })
        return (performance.now() - began) / 1_000
      }))
      const rounds: Array<LoadResult> = []
      while (running.pollUnsafe() === undefined) rounds.push(yield* load)
      return { took: yield* Fiber.join(running), rounds }
    })
    const load = generateLoad({
      url,
      connections: 8,
      perSecond,
      seconds,
      settle: 2_000,
      lanes: lanesOf("patch-partner", callers, 0)
    })
    yield* load
    const empty = { load: yield* load, insertion: yield* timeInsertions(sql) }
    yield* insertEntries(sql, entries)
    yield* sql.withTransaction(countEntries(sql))
    yield* sql`vacuum analyze`
    yield* load
    const large = { load: yield* load, insertion: yield* timeInsertions(sql) }
    yield* sql`update audit_count set entries = entries + 1 where grain = 'ever'`
    const repair = yield* during(["check", "--repair"])
    yield* load
    const oldest = new Date(Date.now() - entries * intervalMs + monthMs).toISOString()
    const prune = yield* during(["audit", "prune", "--yes", "--before", oldest])
    return {
      lines: [
        table(["writes", "200", "others", "p50 ms", "p99 ms", "slowest ms"], [
          row("empty audit", [empty.load]),
          row(`${entries} entries`, [large.load]),
          row(`a repair of ${shown(repair.took)} s`, repair.rounds),
          row(`a prune of 30 days, of ${shown(prune.took)} s`, prune.rounds)
        ]),
        `An insertion takes ${shown(empty.insertion)} and ${shown(large.insertion)} µs, ` +
        `${shown(large.insertion / empty.insertion, 2)} ×.`
      ],
      results: { empty: empty.insertion, large: large.insertion, repair: repair.took, prune: prune.took }
    }
  }, Effect.provide(database))
)
