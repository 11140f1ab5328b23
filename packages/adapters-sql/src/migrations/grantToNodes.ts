import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quoteName } from "../database/connection/schemaName.ts"
import { withoutTransforms } from "../database/withoutTransforms.ts"
import { openInstallationPlace } from "./installationPlace.ts"
import { SchemaUnusable } from "./schemaErrors.ts"
import { currentTables } from "./tableNames.ts"

/** An object of the installation, such as a table. `kind` is the `relkind` of PostgreSQL. */
interface Granted {
  readonly name: string
  readonly kind: string
}

/** Returns the privileges that a node needs on an object. A node only reads the table of migrations. */
const privilegesOn = ({ kind, name }: Granted): string => {
  if (kind === "S") return "usage on sequence"
  return kind === "v" || name === "lastro_migration"
    ? "select on table"
    : "select, insert, update, delete on table"
}

/**
 * Grants a role the privileges that a node needs: on the schema, and on the tables, the view and the sequence of
 * Lastro. Other objects of the schema stay as they are. Run it after each migration as the owner of the tables, because
 * a migration may create tables.
 *
 * Fails with {@link SchemaUnusable}, and changes nothing, if the role does not exist or the current role may not grant
 * the privileges.
 */
export const grantToNodes = (role: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const place = yield* openInstallationPlace
    const { database, oid, schema } = place
    // PostgreSQL rejects concurrent grants on the same object.
    yield* sql`select pg_advisory_xact_lock(hashtextextended('lastro.migrate', ${oid}::bigint))`
    const name = quoteName(role)
    const [grantee] = yield* sql<{ readonly may_use: boolean }>`
      select has_schema_privilege(oid, ${oid}::oid, 'USAGE') as may_use from pg_roles where rolname = ${role}`
    if (grantee === undefined) {
      return yield* new SchemaUnusable({
        problem: `The role ${name}, which should get the privileges of a node, does not exist`,
        remedy: `run CREATE ROLE ${name} LOGIN in the database ${database} as an administrator, or correct its name`
      })
    }
    const objects = yield* sql<Granted & { readonly owner: string; readonly may_grant: boolean }>`
      select relname::text as name, relkind::text as kind, pg_get_userbyid(relowner)::text as owner,
        pg_has_role(relowner, 'USAGE') as may_grant
      from pg_class
      where relnamespace = ${oid}::oid
        and relname::text = any(${[...currentTables, "lastro_migration", "job_fence"]}::text[])
        and relkind in ('r', 'p', 'v', 'S')`
    const foreign = objects.find(({ may_grant }) => !may_grant)
    if (foreign !== undefined) {
      const owner = quoteName(foreign.owner)
      return yield* new SchemaUnusable({
        problem:
          `The role ${place.role} cannot grant privileges on the tables of the schema ${schema} of the database ` +
          `${database}, because they belong to the role ${owner}`,
        remedy: "run the command as this role"
      })
    }
    if (!grantee.may_use) yield* sql.unsafe(`grant usage on schema ${schema} to ${name}`)
    for (const object of objects) {
      yield* sql.unsafe(`grant ${privilegesOn(object)} ${quoteName(object.name)} to ${name}`)
    }
    // PostgreSQL only warns if the current role may not grant the privilege.
    const [granted] = yield* sql<{ readonly may_use: boolean }>`
      select has_schema_privilege(${role}, ${oid}::oid, 'USAGE') as may_use`
    if (granted?.may_use === true) return
    return yield* new SchemaUnusable({
      problem: `The role ${place.role} cannot grant the use of the schema ${schema} of the database ${database}`,
      remedy: `run GRANT USAGE ON SCHEMA ${schema} TO ${name} in this database as an administrator`
    })
  }).pipe(
    (effect) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(effect)),
    withoutTransforms,
    Effect.withSpan("grantToNodes")
  )
