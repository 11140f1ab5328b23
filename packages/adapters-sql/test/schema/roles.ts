import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { layer, PgDatabase } from "../../src/index.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { administer, freshDatabase } from "../postgres.ts"

/** The name of a schema with every kind of character that needs quotes, 63 bytes long. */
export const awkwardSchema = `Ünder-score "A".b,c $user'd \\e; ${"x".repeat(30)}`

/** Runs statements as the superuser of a database. Returns the rows of the last one. */
export const asAdministrator = (url: string, ...statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      Effect.forEach(statements, (statement) => sql.unsafe<Record<string, unknown>>(statement).unprepared),
      (results) => results.at(-1) ?? []
    )).pipe(Effect.provide(PgDatabase.layer({ url, applicationName: "administrator" }), { local: true }), Effect.orDie)

/** Creates a database and a role that may only connect to it. Returns both with the URL of each. */
export const databaseWithRole = Effect.gen(function*() {
  const role = `Role-${randomBytes(4).toString("hex")}`
  // The role is dropped after the database, in which it owns objects.
  yield* Effect.acquireRelease(
    administer(`create role "${role}" login`),
    () => administer(`drop role "${role}"`)
  )
  const url = yield* freshDatabase
  const asRole = new URL(url)
  asRole.username = role
  asRole.password = ""
  return { url, role, roleUrl: asRole.href, database: asRole.pathname.slice(1) }
})

/** Migrates the database at a URL. */
export const migrateAt = (url: string, schema?: string) =>
  Effect.provide(migrate, PgDatabase.layer({ url, schema }), { local: true })

/** Migrates the database at a URL, which must fail. Returns the message of the error. */
export const refusalAt = (url: string, schema?: string) =>
  Effect.map(Effect.flip(migrateAt(url, schema)), ({ message }) => message)

/**
 * Runs an effect with every port of an installation. Nothing adds pending changes to the stored counts in the
 * background, so no lock is held.
 */
export const inSchema = (url: string, schema?: string) =>
  Effect.provide(
    layer.pipe(
      Layer.provide(Layer.effectDiscard(migrate)),
      Layer.provideMerge(PgDatabase.layer({ url, schema }))
    ),
    { local: true }
  )

/** Returns the tables of a schema by name. */
export const tablesIn = (url: string, schema: string) =>
  Effect.map(
    asAdministrator(
      url,
      `select relname::text as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where relkind = 'r' and nspname = '${schema.replaceAll("'", "''")}' order by relname`
    ),
    (rows) => rows.map(({ name }) => String(name))
  )
