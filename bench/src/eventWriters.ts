import { type PgClient } from "@effect/sql-pg"
import { layerSecurity } from "@lastro/adapters-http/security"
import { layerPostgres } from "@lastro/adapters-sql"
import { sandboxCpf } from "@lastro/domain/adapters"
import { EventLog } from "@lastro/domain/event"
import { openAdministration, orThrow } from "@lastro/domain/promises"
import { Effect, Layer, Redacted } from "effect"
import { connect } from "./harness/database.ts"
import { meterCost, postmasterOf } from "./harness/processes.ts"
import { inRounds } from "./harness/rounds.ts"
import { median } from "./harness/statistics.ts"

/** Number of partners that are inserted at the same time, all in one tree. */
const writers = 16

/** An `EventLog` that stores no event. */
const layerWithoutEvents = Layer.effect(
  EventLog,
  Effect.map(EventLog, (log) => EventLog.of({ ...log, append: () => Effect.void }))
)

const shop = (document_number: string) => ({
  partner: { type: "pf", name: "Loja", document_number, email: "loja@example.com", phone: "1133334444" }
})

/**
 * Opens the administration on a database, with or without events. Returns an effect that inserts a partner into a tree.
 */
const openWriters = Effect.fnUntraced(function*(url: string, isAppending: boolean) {
  const ports = Layer.provideMerge(layerPostgres({ url: Redacted.make(url) }), layerSecurity())
  const lastro = yield* Effect.acquireRelease(
    Effect.promise(() => openAdministration(isAppending ? ports : Layer.provideMerge(layerWithoutEvents, ports))),
    (opened) => Effect.promise(() => opened.close())
  )
  const root = yield* Effect.promise(() => lastro.createRootPartner(shop(sandboxCpf("00"))).then(orThrow))
  const caller = yield* Effect.promise(() =>
    lastro.callerAt(root.partner_id, { subject: "ana", group: "admin" }).then(orThrow)
  )
  let inserted = 0
  return Effect.promise(() => lastro.createPartner(caller, shop(sandboxCpf("00", ++inserted))).then(orThrow))
})

/** Samples the connections of a database. Returns the share of running transactions that wait for a lock. */
const sampleLocks = Effect.fnUntraced(function*(sql: PgClient.PgClient) {
  let [waiting, running] = [0, 0]
  const sample = Effect.map(
    sql<{ readonly waiting: number; readonly running: number }>`
      select (count(*) filter (where wait_event_type = 'Lock'))::int as waiting, count(*)::int as running
      from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    ([row]) => {
      waiting += row?.waiting ?? 0
      running += row?.running ?? 0
    }
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sample, "5 millis")))
  return () => waiting / running
})

/**
 * Inserts partners with and without events, alternately. Returns the medians of the processor time of this process and
 * of PostgreSQL per partner in milliseconds, and the share of the transactions that wait for a lock.
 */
export const measureWriters = Effect.fnUntraced(function*(url: string, partners: number, rounds: number) {
  const sql = yield* connect(url)
  const postmaster = yield* postmasterOf(sql)
  const variants = [yield* openWriters(url, true), yield* openWriters(url, false)]
  const insertAll = (insert: typeof variants[number]) =>
    Effect.all(Array.from({ length: partners }, () => insert), { concurrency: writers, discard: true })
  yield* Effect.forEach(variants, insertAll, { discard: true })
  // A server with data has statistics, and PostgreSQL plans without them for empty tables.
  yield* sql`analyze`
  const taken = yield* inRounds(variants, rounds, (insert) =>
    Effect.scoped(Effect.gen(function*() {
      const share = yield* sampleLocks(sql)
      const costOf = meterCost([process.pid], postmaster)
      yield* insertAll(insert)
      return { ...costOf(partners), locks: share() }
    })))
  const [events, none] = taken.map(({ runs }) => ({
    total: median(runs.map(({ node, postgres }) => node + postgres)),
    locks: runs.reduce((sum, { locks }) => sum + locks, 0) / rounds
  }))
  return { events: events!, none: none! }
})
