import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteName } from "../database/connection/schemaName.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { SchemaTooNew } from "./schemaErrors.ts"

/** The schema version of a database. */
export interface StoredSchema {
  /** The id of the last migration that ran. 0 if none has. */
  readonly version: number
  /** The lowest program version that works on this schema. Null before migration 0016, which adds the column. */
  readonly lowest_program: number | null
}

/**
 * Returns whether a program works on a schema. It works on every schema up to its own version. For a newer schema,
 * `lowest_program` decides.
 */
export const isCompatible = ({ lowest_program, version }: StoredSchema, programVersion: number): boolean =>
  version <= programVersion || (lowest_program !== null && lowest_program <= programVersion)

/** Selects the last migration that ran, with the columns of {@link StoredSchema}. Also works before migration 0016. */
export const selectLastMigration = `
  select migration_id as version, (to_jsonb(lastro_migration) ->> 'lowest_program')::int as lowest_program
  from lastro_migration order by migration_id desc limit 1`

/** Reads the schema version. The table `lastro_migration` must exist. */
export const readStoredSchema = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql.unsafe<StoredSchema>(selectLastMigration).unprepared,
    ([stored]): StoredSchema => stored ?? { version: 0, lowest_program: null }
  )

/**
 * Fails with {@link SchemaTooNew} if a program does not work on a schema. The names of the schema and the database are
 * quoted for SQL.
 */
export const requireCompatible = (
  place: { readonly schema: string; readonly database: string },
  stored: StoredSchema,
  programVersion: number
) =>
  isCompatible(stored, programVersion) ? Effect.void : new SchemaTooNew({
    schema: place.schema,
    database: place.database,
    schemaVersion: stored.version,
    programVersion,
    lowestProgram: stored.lowest_program
  })

/**
 * Fails with {@link SchemaTooNew} if a program does not work on the schema in the `search_path`. Succeeds if that
 * schema has no installation.
 */
export const requireCompatibleSchema = (programVersion: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [place] = yield* sql<{ readonly schema: string; readonly database: string }>`
      select nspname::text as schema, current_database()::text as database
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where pg_class.oid = to_regclass('lastro_migration')`
    if (place === undefined) return
    const names = { schema: quoteName(place.schema), database: quoteName(place.database) }
    yield* requireCompatible(names, yield* readStoredSchema(sql), programVersion)
  }).pipe(withoutTransforms)
