import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { sqlStateOf } from "../database/client/sqlErrors.ts"
import { quoteName } from "../database/connection/schemaName.ts"
import { type InstallationPlace, lockDatabase } from "./installationPlace.ts"
import { SchemaUnusable } from "./schemaErrors.ts"
import { tableNames } from "./tableNames.ts"

const insufficientPrivilege = "42501"

/** The SQLSTATEs of a table, index, type or constraint that already exists. */
const duplicateStates: ReadonlySet<string> = new Set(["42P07", "42710"])

const otherSchema =
  "set another schema with the option schema, the parameter schema of the database URL, or LASTRO_SCHEMA"

/**
 * Returns the message of a server error. Errors of a migration name only objects of the schema, never stored values.
 */
const serverMessage = ({ reason: { cause } }: SqlError.SqlError): string =>
  cause instanceof Error ? cause.message : "permission denied"

const grantTo = ({ role, schema }: InstallationPlace): string => `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}`

/** Fails if the role may not create tables in the schema. */
const requirePrivileges = (place: InstallationPlace) =>
  place.mayCreateTables
    ? Effect.void
    : new SchemaUnusable({
      problem:
        `The role ${place.role} cannot create tables in the schema ${place.schema} of the database ${place.database}`,
      remedy: `run ${grantTo(place)} in this database as an administrator`
    })

/** Fails if the tables of the installation belong to a role of which the current role is not a member. */
const requireOwnership = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: InstallationPlace) {
  const [foreign] = yield* sql<{ readonly owner: string }>`
    select pg_get_userbyid(relowner)::text as owner from pg_class
    where oid = to_regclass('partner') and not pg_has_role(relowner, 'USAGE')`
  if (foreign === undefined) return
  const owner = quoteName(foreign.owner)
  return yield* new SchemaUnusable({
    problem: `The role ${place.role} cannot migrate the schema ${place.schema} of the database ${place.database}, ` +
      `because its tables belong to the role ${owner}`,
    remedy: `migrate as this role, or run GRANT ${owner} TO ${place.role} as an administrator`
  })
})

/** Fails if the schema has no installation, but has tables with the names that the migrations create. */
const refuseForeignTables = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: InstallationPlace) {
  const foreign = yield* sql<{ readonly name: string }>`
    select relname::text as name from pg_class
    where relnamespace = ${place.oid}::oid and relname::text = any(${tableNames}::text[]) order by relname`
  if (foreign.length === 0) return
  return yield* new SchemaUnusable({
    problem: `The schema ${place.schema} of the database ${place.database} has tables with names that Lastro needs ` +
      `and that Lastro did not create (${foreign.map(({ name }) => name).join(", ")})`,
    remedy: otherSchema
  })
})

const readTrigrams = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly schema: string; readonly usable: boolean }>`
      select nspname::text as schema, has_schema_privilege(extnamespace, 'USAGE') as usable
      from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`,
    ([row]) => row
  )

/**
 * Creates the extension `pg_trgm` unless the database has it. All installations and the host share it, so it is created
 * in the schema `public` if that exists.
 */
const createTrigrams = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: InstallationPlace) {
  yield* lockDatabase(sql)
  if ((yield* readTrigrams(sql)) !== undefined) return
  const [shared] = yield* sql<{ readonly exists: boolean }>`select to_regnamespace('public') is not null as exists`
  const schema = shared?.exists === true ? quoteName("public") : place.schema
  const statement = `CREATE EXTENSION pg_trgm SCHEMA ${schema}`
  yield* Effect.catchIf(
    sql.unsafe(statement),
    (error) => ["0A000", "58P01", insufficientPrivilege].includes(sqlStateOf(error) ?? ""),
    (error) =>
      new SchemaUnusable(
        sqlStateOf(error) === insufficientPrivilege
          ? {
            problem: `The role ${place.role} cannot create the extension pg_trgm in the database ${place.database}`,
            remedy: `run ${statement} in this database as an administrator`
          }
          : {
            problem:
              `The extension pg_trgm, which the database ${place.database} needs, is not installed on the server`,
            remedy: `install the contrib modules of PostgreSQL there, then run ${statement} in this database`
          }
      )
  )
})

/** Creates the extension `pg_trgm` if it is missing. Fails if the role may not create or use it. */
const requireTrigrams = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: InstallationPlace) {
  const extension = yield* readTrigrams(sql)
  if (extension === undefined) return yield* createTrigrams(sql, place)
  if (extension.usable) return
  const schema = quoteName(extension.schema)
  return yield* new SchemaUnusable({
    problem: `The role ${place.role} cannot use the extension pg_trgm in the schema ${schema} of the database ` +
      place.database,
    remedy: `run GRANT USAGE ON SCHEMA ${schema} TO ${place.role} in this database as an administrator`
  })
})

/**
 * Fails with {@link SchemaUnusable} if the pending migrations cannot run. Creates the extension `pg_trgm` if it is
 * missing.
 */
export const preflight = Effect.fnUntraced(function*(place: InstallationPlace, isInstalled: boolean) {
  const sql = yield* SqlClient.SqlClient
  yield* requirePrivileges(place)
  yield* isInstalled ? requireOwnership(sql, place) : refuseForeignTables(sql, place)
  yield* requireTrigrams(sql, place)
})

/** Returns an error with the remedy for a failed migration, or undefined if no remedy is known. */
export const remedyOf = (place: InstallationPlace, error: unknown): SchemaUnusable | undefined => {
  if (!SqlError.isSqlError(error)) return undefined
  const state = sqlStateOf(error) ?? ""
  const where = `the schema ${place.schema} of the database ${place.database}`
  if (duplicateStates.has(state)) {
    return new SchemaUnusable({
      problem: `Lastro cannot be installed in ${where}, because of a name that it needs (${serverMessage(error)})`,
      remedy: otherSchema
    })
  }
  return state === insufficientPrivilege
    ? new SchemaUnusable({
      problem: `The role ${place.role} cannot migrate ${where} (${serverMessage(error)})`,
      remedy:
        `migrate as the owner of the tables, or run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ` +
        `${place.schema} TO ${place.role}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${place.schema} TO ${place.role} ` +
        "in this database as an administrator"
    })
    : undefined
}
