import { Effect, Record } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import partners from "./0001_partners.ts"
import users from "./0002_users.ts"
import sessions from "./0003_sessions.ts"
import records from "./0004_records.ts"
import origination from "./0005_origination.ts"
import durableWork from "./0006_durable_work.ts"
import regions from "./0007_regions.ts"
import jobs from "./0008_jobs.ts"
import repeats from "./0009_repeats.ts"
import lenderCalls from "./0010_lender_calls.ts"
import exits from "./0011_exits.ts"
import lenderRequirements from "./0012_lender_requirements.ts"
import funnel from "./0013_funnel.ts"
import earlyCallbacks from "./0014_early_callbacks.ts"
import metadata from "./0015_metadata.ts"
import schemaVersions from "./0016_schema_versions.ts"
import secretOverlap from "./0017_secret_overlap.ts"
import privacy, { preparePrivacy } from "./0018_privacy.ts"
import auditCounts, { auditAndPersonIndexes } from "./0019_audit_counts.ts"
import nodeKinds from "./0020_node_kinds.ts"
import settlement, { prepareSettlement } from "./0021_settlement.ts"
import tenantTurns, { prepareTenantTurns } from "./0022_tenant_turns.ts"
import events from "./0023_events.ts"
import identity, { prepareIdentity } from "./0024_identity.ts"
import partnerAncestors, { deletedPartners } from "./0025_partner_ancestors.ts"
import subscriptions from "./0026_subscriptions.ts"
import webhooks from "./0027_webhooks.ts"
import places, { preparePlaces } from "./0028_places.ts"
import clientNames from "./0029_client_names.ts"
import observability, { prepareObservability } from "./0030_observability.ts"
import lenders, { prepareLenders } from "./0031_lenders.ts"
import commissions, { prepareCommissions } from "./0032_commissions.ts"
import eventTraces from "./0033_event_traces.ts"
import commissionClosings, { prepareCommissionClosings } from "./0034_commission_closings.ts"
import pollNext from "./0035_poll_next.ts"
import { type InstallationPlace, openInstallationPlace, schemaForbidden } from "./installationPlace.ts"
import { isLockMissing, limitLockWaits, lockAttempts, retryIfBusy } from "./lockWaits.ts"
import { lastUnversioned, refuseOlderNodes } from "./olderNodes.ts"
import { preflight, remedyOf } from "./preflight.ts"
import { requireUsable } from "./requireUsable.ts"
import { type OlderNodesRunning, SchemaBusy, type SchemaTooNew, type SchemaUnusable } from "./schemaErrors.ts"
import { contract, expand, lowestPrograms, type Step } from "./steps.ts"
import { readStoredSchema, requireCompatible, requireCompatibleSchema } from "./storedSchema.ts"

/**
 * Every migration by its id and name. Ids must be contiguous, because the migrator skips a lower id that is added
 * later. A contracting migration names the oldest program that works after it.
 */
export const released = {
  "0001_partners": expand(partners),
  "0002_users": expand(users),
  "0003_sessions": expand(sessions),
  "0004_records": expand(records),
  "0005_origination": expand(origination),
  "0006_durable_work": expand(durableWork),
  "0007_regions": contract(7, regions),
  "0008_jobs": contract(8, jobs),
  "0009_repeats": expand(repeats),
  "0010_lender_calls": expand(lenderCalls),
  "0011_exits": contract(11, exits),
  "0012_lender_requirements": expand(lenderRequirements),
  "0013_funnel": contract(13, funnel),
  "0014_early_callbacks": expand(earlyCallbacks),
  // Programs below this version use other advisory lock keys, and another notification channel.
  "0015_metadata": contract(15, metadata),
  "0016_schema_versions": expand(schemaVersions),
  "0017_secret_overlap": expand(secretOverlap),
  "0018_privacy": expand(privacy, preparePrivacy),
  "0019_audit_counts": expand(auditCounts, auditAndPersonIndexes),
  "0020_node_kinds": expand(nodeKinds),
  "0021_settlement": expand(settlement, prepareSettlement),
  "0022_tenant_turns": expand(tenantTurns, prepareTenantTurns),
  "0023_events": expand(events),
  "0024_identity": expand(identity, prepareIdentity),
  "0025_partner_ancestors": expand(partnerAncestors, deletedPartners),
  "0026_subscriptions": expand(subscriptions),
  "0027_webhooks": expand(webhooks),
  "0028_places": expand(places, preparePlaces),
  "0029_client_names": expand(clientNames),
  "0030_observability": expand(observability, prepareObservability),
  "0031_lenders": expand(lenders, prepareLenders),
  "0032_commissions": expand(commissions, prepareCommissions),
  "0033_event_traces": expand(eventTraces),
  "0034_commission_closings": expand(commissionClosings, prepareCommissionClosings),
  "0035_poll_next": expand(pollNext)
} as const

/** Migrations by id and name, in the order of their ids. */
export type Steps = Readonly<Record<string, Step>>

/** The effects that run the migrations, by id and name. */
export const migrations = Record.map(released, ({ run }) => run)

/** The schema version of this program: the id of its last migration. */
export const programVersion: number = Object.keys(released).length

/** Options of a migration. */
export interface MigrateOptions {
  /**
   * If true, a contracting migration runs even while nodes of an older version run. They stop serving within seconds.
   * Default: false.
   */
  readonly stopTheWorld?: boolean | undefined
}

const makeRun = (steps: Steps) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(Record.map(steps, ({ run }) => run)),
    table: "lastro_migration"
  })

/**
 * Returns whether the schema has an installation. Reads `pg_class`, because `to_regclass` may return a cached result
 * from before this transaction waited for the lock.
 */
const isInstalled = (sql: SqlClient.SqlClient, { oid }: InstallationPlace) =>
  Effect.map(
    sql`select from pg_class where relname = 'lastro_migration' and relnamespace = ${oid}::oid`,
    (tables) => tables.length > 0
  )

/**
 * Records the lowest program version that works after each migration. Programs without that migration read this number.
 * Migration 0016 adds the column.
 */
const recordCompatibility = (sql: SqlClient.SqlClient, steps: ReadonlyArray<Step>) =>
  steps.length <= lastUnversioned ? Effect.void : sql`
    update lastro_migration set lowest_program = lowest[migration_id]
    from (select ${lowestPrograms(steps)}::int[] as lowest) compatible
    where lowest_program is null`

/** Returns the error of the statement that failed in a migration. */
const causeOf = (
  error: Effect.Error<ReturnType<typeof makeRun>> | OlderNodesRunning | SchemaBusy | SchemaTooNew | SchemaUnusable
): unknown => error._tag === "MigrationError" ? error.cause : error

/** A migration, and how many of its preparatory parts have run. */
interface Prepared {
  readonly migration: number
  readonly parts: number
}

/** The result of one transaction of a migration. */
interface Stage {
  readonly ran: ReadonlyArray<readonly [id: number, name: string]>
  readonly prepared: Prepared
  /** True if no migration is pending. */
  readonly isLast: boolean
}

/** Runs the pending migrations of `first`, a list that starts with migration 1 and has no gaps. */
const runFirst = (sql: SqlClient.SqlClient, first: ReadonlyArray<readonly [name: string, step: Step]>) =>
  Effect.gen(function*() {
    const steps = Object.fromEntries(first)
    const ran = yield* makeRun(steps)
    yield* recordCompatibility(sql, Object.values(steps))
    return ran
  })

/**
 * Runs the next pending migration of a schema, or one preparatory part of it. Runs all migrations if the schema is
 * empty. The nodes of an installation do this one after another. Waits only briefly for a lock, because statements of
 * running nodes wait behind it.
 */
const migrateSchema = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  place: InstallationPlace,
  steps: Steps,
  { stopTheWorld = false }: MigrateOptions,
  prepared: Prepared
) {
  yield* sql`select pg_advisory_xact_lock(hashtextextended('lastro.migrate', ${place.oid}::bigint))`
  const installed = yield* isInstalled(sql, place)
  if (installed && !place.mayUse) return yield* schemaForbidden(place)
  const stored = installed ? yield* readStoredSchema(sql) : undefined
  const entries = Object.entries(steps)
  if (stored !== undefined && stored.version >= entries.length) {
    yield* requireCompatible(place, stored, entries.length)
    if (stored.version > entries.length) {
      yield* Effect.annotateLogs(
        Effect.logInfo("the schema is newer than this program, and compatible with it; continuing"),
        { schema_version: stored.version, program_version: entries.length }
      )
    }
    return { ran: [], prepared, isLast: true } satisfies Stage
  }
  yield* preflight(place, stored !== undefined)
  if (stored === undefined) {
    return { ran: yield* runFirst(sql, entries), prepared, isLast: true } satisfies Stage
  }
  if (!stopTheWorld) yield* refuseOlderNodes(sql, place, stored, entries)
  const next = stored.version + 1
  const [name = "", step] = entries[stored.version] ?? []
  yield* limitLockWaits(sql)
  const parts = prepared.migration === next ? prepared.parts : 0
  const part = step?.prepare[parts]
  const stage: Effect.Effect<Stage, Effect.Error<ReturnType<typeof runFirst>>, SqlClient.SqlClient> = part !== undefined
    ? Effect.as(part, { ran: [], prepared: { migration: next, parts: parts + 1 }, isLast: false })
    : Effect.map(
      runFirst(sql, entries.slice(0, next)),
      (ran) => ({ ran, prepared, isLast: next === entries.length })
    )
  return yield* Effect.catchIf(
    stage,
    (error) => isLockMissing(causeOf(error)),
    () => Effect.fail(new SchemaBusy({ migration: name, schema: place.schema, database: place.database }))
  )
})

/** Does the same as {@link migrateWith}, with the given migrations and number of attempts to lock tables. */
export const migrateTo = (steps: Steps, options: MigrateOptions = {}, attempts: number = lockAttempts) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const runStage = (prepared: Prepared) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`
        const place = yield* openInstallationPlace
        return yield* Effect.catchIf(
          migrateSchema(sql, place, steps, options, prepared),
          (error) => remedyOf(place, causeOf(error)) !== undefined,
          (error) => Effect.fail(remedyOf(place, causeOf(error)) ?? error)
        )
      }))
    const ran: Array<readonly [id: number, name: string]> = []
    for (let prepared: Prepared = { migration: 0, parts: 0 };;) {
      const stage = yield* retryIfBusy(runStage(prepared), attempts)
      ran.push(...stage.ran)
      if (stage.isLast) return ran
      prepared = stage.prepared
    }
  }).pipe(withoutTransforms, Effect.withSpan("migrate"))

/** Migrates the schema like {@link migrate}, with options. */
export const migrateWith = (options: MigrateOptions) => migrateTo(released, options)

/**
 * Migrates the schema to the version of this package, and returns the migrations that ran. Does nothing if the schema
 * is newer and compatible with this version. Nodes that start concurrently migrate one after another, and wait without
 * a timeout. Uses the schema of an existing installation in the `search_path`, or else the first schema of the
 * `search_path`, which it creates if it is missing.
 *
 * Each migration of an existing installation is one transaction, so locks are held briefly. If a migration fails, the
 * earlier ones stay applied, and the next call continues with the failed one. A migration waits at most 2 s for a lock
 * and is attempted ten times. Then it fails with {@link SchemaBusy}.
 *
 * Fails before it changes anything
 * - with {@link SchemaUnusable} if the schema contains other tables or the role lacks a privilege,
 * - with {@link SchemaTooNew} if the schema is newer and not compatible with this version,
 * - with {@link OlderNodesRunning} if a contracting migration is pending while nodes of an older version run.
 */
export const migrate = migrateWith({})

/** Fails if the role of the connection cannot work with the migrated schema. Changes nothing. */
export const requireUsableSchema = requireUsable(programVersion)

/**
 * Fails with {@link SchemaTooNew} if the schema is newer than this version and not compatible with it. Changes nothing.
 * For programs that read the database without migrating it.
 */
export const refuseNewerSchema = requireCompatibleSchema(programVersion)
