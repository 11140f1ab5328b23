import {
  type ClosingId,
  CommissionLedger,
  CommissionSettlement,
  type EntryId,
  type EntryQuery,
  type Period
} from "@lastro/domain/commission"
import { asOperator, type SubtreeScope } from "@lastro/domain/hierarchy"
import { type PasswordHash } from "@lastro/domain/identity"
import { UnitOfWork } from "@lastro/domain/ports"
import { type CalendarDate, currentTimestamp, type PartnerId } from "@lastro/domain/values"
import { dropIndexes, seed, storeViews, vacuum } from "@lastro/seed"
import { Console, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { benchmark, dataFlags, shown, table, whole } from "./harness/benchmark.ts"
import { database } from "./harness/database.ts"
import { measure, readTable, timed, type Variant } from "./harness/rounds.ts"

/** Number of months of the ledger. Entries of the last `open` months are OPEN; all others are PAID. */
const months = { all: 24, open: 4 } as const

/** The chains of the partners on levels 3 to 5, with the viewers of each entry. */
const createChains = `
  create unlogged table bench_chain as
  with recursive tree as (
    select id, array[id] as path from partner where parent_id is null
    union all
    select child.id, child.id || path from tree join partner child on child.parent_id = tree.id
    where cardinality(path) < 5
  )
  select row_number() over (order by id)::int - 1 as n, id as seller, cardinality(path) as level, path from tree
  where cardinality(path) >= 3`

/** Inserts the ACCRUALs of the contracts `$1` to `$2` of `$3`, in the order of time. */
const insertContracts = `
  insert into commission_entry (
    id, root_id, partner_id, viewers, proposal_id, kind, amount, basis_amount, lender, table_code, seller_partner_id,
    period, payable_on, status, occurred_at, reference, paid_amount, happened_on
  )
  select gen_random_uuid(), path[level], path[place], path[place:], md5(n::text)::uuid, 'ACCRUAL', 100 + n % 9000, 100000,
    case when n % 3 = 0 then 'slow' else 'quick' end, 'table', seller, to_char(day, 'YYYY-MM'),
    to_char(day + interval '8 days', 'YYYY-MM-DD'),
    case when day < date_trunc('month', now()) - interval '${months.open - 1} months' then 'PAID' else 'OPEN' end,
    at, 'C-' || n, 100000, to_char(day, 'YYYY-MM-DD')
  from (
    select made.n, now() - interval '${months.all} months' * (1 - made.n::float8 / $3) as at, seller, level, path
    from generate_series($1::int, $2::int) made(n)
    join bench_chain chain on chain.n = (made.n * 7919::bigint) % (select count(*) from bench_chain)
  ) contract
  cross join lateral (select at at time zone 'UTC' - interval '3 hours' as day) local
  cross join lateral generate_series(1, level) place
  order by n`

/** Fails unless the stored sums of every root are those of its entries. Prints the size of the database. */
const verify = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [{ megabytes = 0, wrong = 0 } = {}] = yield* sql<{ readonly megabytes: number; readonly wrong: number }>`
    select pg_database_size(current_database()) / 1e6 as megabytes, (
      select count(*)::int from (
        select root_id as id, sum(amount) as amount, count(*) as entries from commission_entry group by root_id
      ) root full join (
        select viewer_id as id, sum(accrued + clawed_back + adjusted) as amount, sum(entries) as entries
        from commission_sum where partner_id is null and viewer_id in (select id from partner where parent_id is null)
        group by viewer_id
      ) stored using (id)
      where (root.amount, root.entries) is distinct from (stored.amount, stored.entries)
    ) as wrong`
  if (wrong > 0) return yield* Effect.die(new Error(`The sums of ${wrong} roots are wrong`))
  yield* Console.error(`The sums are right. The database has ${Math.round(megabytes)} MB.`)
})

/** Fills a new database with partners, and with a ledger of about `entries` entries. */
const fill = Effect.fn("fill")(function*(size: { partners: number; seed: number }, entries: number) {
  yield* seed({ ...size, users: 0, applications: 0, passwordHash: "nobody knows" as PasswordHash })
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select set_config('statement_timeout', '0', true), set_config('maintenance_work_mem', '1GB', true),
      set_config('work_mem', '256MB', true), set_config('synchronous_commit', 'off', true)`
    const run = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
      sql.unsafe(statement, parameters as never).unprepared
    const restore = yield* dropIndexes(sql, ["commission_entry", "commission_visible", "commission_sum"])
    yield* run(createChains)
    const [{ level = 4 } = {}] = yield* sql<{ readonly level: number }>`
      select avg(level)::float8 as level from bench_chain`
    const contracts = Math.ceil(entries / level)
    const batch = 100_000
    for (let from = 0; from < contracts; from += batch) {
      yield* run(insertContracts, [from, Math.min(from + batch, contracts) - 1, contracts])
      yield* Console.error(`${Math.min(from + batch, contracts)} of ${contracts} contracts`)
    }
    for (const statement of [...storeViews, ...restore]) {
      yield* run(statement)
      yield* Console.error(statement.slice(0, 80))
    }
    yield* verify(sql)
  }))
  yield* vacuum()
})

/** A partner that sees entries. */
interface Viewer {
  readonly name: string
  readonly id: PartnerId
  readonly scope: SubtreeScope
  /** Number of entries that it sees. */
  readonly entries: number
}

/** Finds, for each share, the partner whose number of visible entries is closest to that share of the ledger. */
const viewers = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const shares = [["root", 1], ["10 %", 0.1], ["0.5 %", 0.005], ["0.01 %", 0.0001]] as const
  return (yield* Effect.forEach(shares, ([name, share]) =>
    Effect.map(
      sql<{ readonly id: PartnerId; readonly entries: number }>`
        with seen as (
          select viewer_id as id, sum(entries)::float8 as entries from commission_sum
          where partner_id is null group by viewer_id
        )
        select * from seen order by abs(ln(entries / (${share}::float8 * (select max(entries) from seen)))), id limit 1`,
      (rows) => rows.map((row): Viewer => ({ ...row, name, scope: asOperator.scope(row.id) }))
    ))).flat()
})

const queryOf = (filters: EntryQuery["filters"] = {}): EntryQuery => ({
  filters,
  page: { number: 0, size: 20 },
  sort: [{ property: "occurred_at", direction: "desc" }]
})

/** Returns the São Paulo month before the current one. */
const lastMonth = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly month: Period }>`
      select to_char(now() at time zone 'UTC' - interval '3 hours' - interval '1 month', 'YYYY-MM') as month`,
    ([row]) => row!.month
  )

/** Returns all reads. The first one is the reference. */
const readsOf = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, seen: ReadonlyArray<Viewer>, period: Period) {
  const [ledger, settlement] = [yield* CommissionLedger, yield* CommissionSettlement]
  const ids = yield* sql<{ readonly id: EntryId }>`select id from commission_entry order by id limit 1000`
  let turn = 0
  const reads: Array<Variant> = [{
    name: "entry by primary key",
    run: Effect.suspend(() => sql`select * from commission_entry where id = ${ids[turn++ % ids.length]?.id ?? ""}`)
  }]
  for (const { id, name, scope } of seen) {
    const partner = { partner_id: id, partner_scope: "self" } as const
    const summary = { filters: { period }, page: { number: 0, size: 20 } }
    reads.push(
      { name: `page, ${name}`, run: ledger.list(scope, queryOf()) },
      { name: `page of a month, ${name}`, run: ledger.list(scope, queryOf({ period })) },
      { name: `page of its own entries, ${name}`, run: ledger.list(scope, queryOf({ partner })) },
      {
        name: `summary of a month, ${name}`,
        run: settlement.summarize(scope, { ...summary, sort: [{ property: "partner_id", direction: "asc" }] })
      }
    )
  }
  return reads
})

/** Exports a month like the list does, and counts its entries. */
const exportMonth = Effect.fnUntraced(function*({ name, scope }: Viewer, period: Period) {
  const ledger = yield* CommissionLedger
  let entries = 0
  const milliseconds = yield* timed(
    Stream.runForEach(ledger.exportAll(scope, queryOf({ period })), () => Effect.sync(() => void entries++))
  )
  return { name: `CSV of a month, ${name}`, entries, milliseconds }
})

/** Closes a month of a partner in several requests of at most 5 000 entries each, until nothing is left. */
const closeMonth = Effect.fnUntraced(function*({ id, name, scope }: Viewer, period: Period) {
  const [settlement, unit] = [yield* CommissionSettlement, yield* UnitOfWork]
  const close = Effect.gen(function*() {
    const at = yield* currentTimestamp
    const closing = { closing_id: randomUUID() as ClosingId, period, at, created_by: "bench", limit: 5_000 }
    const today = at.slice(0, 10) as CalendarDate
    return yield* unit.atomically(settlement.close(scope, asOperator.inScope(id), { ...closing, today }))
  })
  let entries = 0
  let requests = 0
  const closeAll: typeof close = Effect.flatMap(close, (closed) => {
    entries += closed.entries
    requests++
    return closed.is_complete ? Effect.succeed(closed) : closeAll
  })
  const milliseconds = yield* timed(closeAll)
  return { name: `closing in ${requests} requests, ${name}`, entries, milliseconds }
})

const flags = {
  partners: dataFlags.partners,
  seed: dataFlags.seed,
  entries: whole("entries", 10_000_000, "Number of entries"),
  rounds: whole("rounds", 20, "Number of rounds")
}

/** Measures the ledger of commissions. The reference is the read of one entry by primary key. */
export const commissions = benchmark(
  "commissions",
  "Measures pages, summaries, an export and closings of commissions, compared with a read by primary key",
  flags,
  Effect.fnUntraced(
    function*({ rounds }) {
      const sql = yield* SqlClient.SqlClient
      const seen = yield* viewers(sql)
      const month = yield* lastMonth(sql)
      const results = yield* measure(yield* readsOf(sql, seen, month), rounds)
      const primaryKey = results[0]?.p50 ?? Number.NaN
      const batches = [
        ...yield* Effect.forEach(seen, (viewer) => exportMonth(viewer, month)),
        ...yield* Effect.forEach(seen.toReversed(), (viewer) => closeMonth(viewer, month))
      ]
      return {
        lines: [
          table(["viewer", "entries"], seen.map(({ entries, name }) => [name, String(entries)])),
          readTable(results),
          table(
            ["work", "entries", "ms", "entries per primary key"],
            batches.map(({ entries, milliseconds, name }) => [
              name,
              String(entries),
              shown(milliseconds),
              shown(entries * primaryKey / milliseconds, 1)
            ])
          )
        ],
        results: { seen, results, batches }
      }
    },
    (run, { entries, partners, seed }) =>
      Effect.provide(run, Layer.effectDiscard(fill({ partners, seed }, entries)).pipe(Layer.provideMerge(database)))
  )
)
