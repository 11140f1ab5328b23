import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteName } from "../database/connection/schemaName.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { firstName, requireServer, schemaForbidden } from "./installationPlace.ts"
import { SchemaUnusable } from "./schemaErrors.ts"
import { readStoredSchema, requireCompatible } from "./storedSchema.ts"
import { currentTables } from "./tableNames.ts"

interface Installation {
  readonly path: string
  readonly role: string
  readonly database: string
  readonly server: number
  /** The schema of the installation. Null if the role sees no installation in the `search_path`. */
  readonly schema: string | null
  readonly may_read_version: boolean | null
  readonly missing: ReadonlyArray<string> | null
  /** True if the role lacks a privilege on a table or sequence. */
  readonly is_denied: boolean | null
  readonly has_trigrams: boolean
  readonly has_public: boolean
}

/** Reads the session, the schema of the installation, and the tables and privileges that the role lacks there. */
const readInstallation = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    sql<Installation>`
      select
        current_setting('search_path') as path, current_user::text as role, current_database()::text as database,
        current_setting('server_version_num')::int as server, nspname::text as schema,
        has_table_privilege(installed.oid, 'SELECT') as may_read_version,
        (
          select array_agg(name order by name) from unnest(${currentTables}::text[]) name
          where not exists (select from pg_class where relnamespace = pg_namespace.oid and relname = name)
        ) as missing,
        (
          select bool_or(not case relkind
            when 'S' then has_sequence_privilege(oid, 'USAGE')
            when 'v' then has_table_privilege(oid, 'SELECT')
            else has_table_privilege(oid, 'SELECT') and has_table_privilege(oid, 'INSERT')
              and has_table_privilege(oid, 'UPDATE') and has_table_privilege(oid, 'DELETE')
          end)
          from pg_class where relnamespace = pg_namespace.oid
            and (relname::text = any(${currentTables}::text[]) and relkind in ('r', 'v') or relname = 'job_fence')
        ) as is_denied,
        exists (select from pg_extension where extname = 'pg_trgm') as has_trigrams,
        to_regnamespace('public') is not null as has_public
      from (select to_regclass('lastro_migration')::oid as oid) wanted
        left join pg_class installed on installed.oid = wanted.oid
        left join pg_namespace on pg_namespace.oid = installed.relnamespace`,
    ([installation]) =>
      installation === undefined
        ? Effect.die("PostgreSQL returned no settings of the session")
        : Effect.succeed(installation)
  )

const migrateFirst = "migrate it as the owner of the schema, with a start without `migrate: false` or with `migrate`"

/**
 * Fails because the role sees no installation in the `search_path`. Either the role may not use its first schema, or
 * there is no installation.
 */
const refuseUnusable = Effect.fnUntraced(
  function*(sql: SqlClient.SqlClient, path: string, role: string, database: string) {
    const name = firstName(path) ?? ""
    const [forbiddenSchema] =
      yield* sql`select from pg_namespace where nspname = ${name} and not has_schema_privilege(oid, 'USAGE')`
    const schema = quoteName(name)
    if (forbiddenSchema !== undefined) return yield* schemaForbidden({ database, role, schema })
    return yield* new SchemaUnusable({
      problem: `The database ${database} has no installation of Lastro in the search_path (${path})`,
      remedy:
        `${migrateFirst}, or set the schema of the installation with the option schema, the parameter schema of the ` +
        "database URL, or LASTRO_SCHEMA"
    })
  }
)

/**
 * Fails with `SchemaUnusable` if the role cannot work with the migrated schema: the installation, a table, the
 * extension or a privilege is missing, or the schema or the server is too old. Fails with `SchemaTooNew` if the schema
 * is newer than the program and not compatible with it. Changes nothing.
 */
export const requireUsable = (programVersion: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const installation = yield* readInstallation(sql)
    const [role, database] = [quoteName(installation.role), quoteName(installation.database)]
    yield* requireServer(installation.server, database)
    if (installation.schema === null) return yield* refuseUnusable(sql, installation.path, role, database)
    const schema = quoteName(installation.schema)
    const where = `the schema ${schema} of the database ${database}`
    const denied = () =>
      new SchemaUnusable({
        problem: `The role ${role} lacks privileges on tables of ${where}`,
        remedy: `run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}; ` +
          `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role} in this database as an administrator`
      })
    if (installation.may_read_version !== true) return yield* denied()
    const stored = yield* readStoredSchema(sql)
    yield* requireCompatible({ schema, database }, stored, programVersion)
    if (stored.version < programVersion) {
      return yield* new SchemaUnusable({
        problem:
          `The schema ${schema} of the database ${database} has version ${stored.version}, and this program needs version ${programVersion}`,
        remedy: migrateFirst
      })
    }
    if (installation.missing !== null) {
      return yield* new SchemaUnusable({
        problem: `Tables of ${where} are missing (${installation.missing.join(", ")})`,
        remedy: "restore them from a backup"
      })
    }
    if (installation.is_denied === true) return yield* denied()
    if (installation.has_trigrams) return
    return yield* new SchemaUnusable({
      problem: `The extension pg_trgm, which the indexes of searches need, is missing in the database ${database}`,
      remedy: `run CREATE EXTENSION pg_trgm SCHEMA ${
        installation.has_public ? quoteName("public") : schema
      } in this database as an administrator`
    })
  }).pipe(withoutTransforms)
