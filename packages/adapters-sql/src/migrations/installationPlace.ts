import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteName } from "../database/connection/schemaName.ts"
import { SchemaUnusable } from "./schemaErrors.ts"
import { tableNames } from "./tableNames.ts"

/** The schema of an installation, and the role that migrates it. Names are quoted for SQL. */
export interface InstallationPlace {
  readonly schema: string
  readonly role: string
  readonly database: string
  /** The id of the schema. */
  readonly oid: string
  /** True if the role may look up names in the schema. */
  readonly mayUse: boolean
  /** True if the role may create tables in the schema. */
  readonly mayCreateTables: boolean
}

/** Returns the error for a schema in which the role may not look up names. */
export const schemaForbidden = ({ database, role, schema }: Pick<InstallationPlace, "database" | "role" | "schema">) =>
  new SchemaUnusable({
    problem: `The role ${role} cannot use the schema ${schema} of the database ${database}`,
    remedy: `run GRANT USAGE ON SCHEMA ${schema} TO ${role} in this database as an administrator`
  })

interface Settings {
  readonly path: string
  readonly role: string
  readonly database: string
  /**
   * The first schema of the `search_path` with an installation, or else its first existing schema. Null if none exists.
   */
  readonly schema: string | null
  readonly may_create: boolean
  readonly server: number
  readonly encoding: string
  readonly is_installed: boolean
  /**
   * Tables in an earlier schema of the `search_path` that hide tables of the installation with the same names. Null if
   * there are none.
   */
  readonly hiding: ReadonlyArray<string> | null
}

/** Returns the first name of a `search_path`. */
export const firstName = (path: string): string | undefined => {
  const [, quoted, plain] = /^\s*(?:"((?:[^"]|"")+)"|([^\s",]+))/.exec(path) ?? []
  return quoted?.replaceAll("\"\"", "\"") ?? plain?.toLowerCase()
}

const readSettings = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    sql<Settings>`
      with installed as (
        select pg_namespace.oid, nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('lastro_migration')
      )
      select
        current_setting('search_path') as path, current_user::text as role, current_database()::text as database,
        coalesce((select nspname from installed), current_schema())::text as schema,
        has_database_privilege(current_database(), 'CREATE') as may_create,
        current_setting('server_version_num')::int as server, current_setting('server_encoding') as encoding,
        exists (select from installed) as is_installed,
        (
          select array_agg(relname::text order by relname)
          from unnest(${tableNames}::text[]) name join pg_class on pg_class.oid = to_regclass(name)
            join installed on installed.oid <> relnamespace
        ) as hiding`,
    ([settings]) =>
      settings === undefined ? Effect.die("PostgreSQL returned no settings of the session") : Effect.succeed(settings)
  )

const readSchema = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.map(
    sql<{ readonly oid: string; readonly may_use: boolean; readonly may_create: boolean }>`
      select oid::text, has_schema_privilege(oid, 'USAGE') as may_use,
        has_schema_privilege(oid, 'CREATE') as may_create
      from pg_namespace where nspname = ${schema}`,
    ([row]) => row
  )

/**
 * Acquires the lock that all installations of the database share, until the end of the transaction. Required to create
 * a schema or an extension.
 */
export const lockDatabase = (sql: SqlClient.SqlClient) =>
  sql`select pg_advisory_xact_lock(hashtextextended('lastro.install', 0))`

/**
 * Returns the schema of the installation: that of an existing installation in the `search_path`, or else the first
 * schema of the `search_path`. Creates that schema if it is missing, and fails if the role may not. Sets the
 * `search_path` to this schema alone, until the end of the transaction.
 */
export const openInstallationPlace = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const settings = yield* readSettings(sql)
  const [role, database] = [quoteName(settings.role), quoteName(settings.database)]
  yield* requireServer(settings.server, database)
  // An installation of an earlier version of Lastro goes on.
  if (!settings.is_installed) yield* requireEncoding(settings.encoding, database)
  const name = settings.schema ?? firstName(settings.path)
  if (name === undefined || name === "$user") {
    return yield* new SchemaUnusable({
      problem: `The role ${role} can use no schema of its search_path in the database ${database}`,
      remedy: "set a schema with the option schema, the parameter schema of the database URL, or LASTRO_SCHEMA"
    })
  }
  const schema = quoteName(name)
  if (settings.hiding !== null) {
    return yield* new SchemaUnusable({
      problem: `The installation in the schema ${schema} of the database ${database} is hidden by tables of another ` +
        `schema in the search_path of the role ${role} (${settings.hiding.join(", ")})`,
      remedy:
        `set the schema ${schema} with the option schema, the parameter schema of the database URL, or LASTRO_SCHEMA`
    })
  }
  const createSchema = Effect.gen(function*() {
    yield* lockDatabase(sql)
    const existing = yield* readSchema(sql, name)
    if (existing !== undefined) return existing
    if (!settings.may_create) {
      return yield* new SchemaUnusable({
        problem: `The role ${role} cannot create the schema ${schema} in the database ${database}`,
        remedy: `run CREATE SCHEMA ${schema} AUTHORIZATION ${role} in this database as an administrator`
      })
    }
    yield* sql.unsafe(`create schema ${schema}`)
    return yield* readSchema(sql, name)
  })
  const row = (yield* readSchema(sql, name)) ?? (yield* createSchema)
  yield* sql`select set_config('search_path', ${schema}, true)`
  const place: InstallationPlace = {
    schema,
    role,
    database,
    oid: row?.oid ?? "0",
    mayUse: row?.may_use === true,
    mayCreateTables: row?.may_use === true && row.may_create
  }
  return place
})

/** The lowest supported major version of PostgreSQL. */
const lowestServer = 15

/**
 * The encodings in which a database stores every character. SQL_ASCII stores the bytes of the client, which are UTF-8.
 */
const encodings: ReadonlySet<string> = new Set(["UTF8", "SQL_ASCII"])

/** Fails if the server is too old. `server` is its `server_version_num`, for example 150004. */
export const requireServer = (server: number, database: string) =>
  server >= lowestServer * 10_000 ? Effect.void : new SchemaUnusable({
    problem: `The server of the database ${database} is PostgreSQL ${Math.floor(server / 10_000)}, which is too old`,
    remedy: `use PostgreSQL ${lowestServer} or newer`
  })

/** Fails if the encoding of a database lacks characters. */
export const requireEncoding = (encoding: string, database: string) =>
  encodings.has(encoding) ? Effect.void : new SchemaUnusable({
    problem: `The database ${database} has the encoding ${encoding}, which lacks characters of names`,
    remedy: "create a database with ENCODING 'UTF8' TEMPLATE template0"
  })
