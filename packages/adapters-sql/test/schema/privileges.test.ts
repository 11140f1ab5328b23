import { assert, describe, it } from "@effect/vitest"
import { storeRootPartner } from "@lastro/testkit"
import { Effect, Layer } from "effect"
import { checkInvariants, grantToNodes, layerPostgres, PgDatabase, SchemaUnusable } from "../../src/index.ts"
import { requireEncoding, requireServer } from "../../src/migrations/installationPlace.ts"
import { migrations } from "../../src/migrations/migrate.ts"
import { tableNames } from "../../src/migrations/tableNames.ts"
import { asAdministrator, databaseWithRole, inSchema, migrateAt, refusalAt, tablesIn } from "./roles.ts"

const count = Object.keys(migrations).length

const remedy = "set another schema with the option schema, the parameter schema of the database URL, or LASTRO_SCHEMA"

/** Runs the statements that a message states, as an administrator. */
const mend = (url: string, message: string) => {
  const [, statement] = /: (?:.* or )?run (.+) in this database as an administrator\.$/.exec(message) ?? []
  assert(statement !== undefined, message)
  return asAdministrator(url, ...statement.split("; "))
}

describe.concurrent("the migration", () => {
  it.effect("refuses a server that is too old, and an encoding that lacks characters", () =>
    Effect.gen(function*() {
      yield* requireServer(150_000, "\"shop\"")
      assert.strictEqual(
        (yield* Effect.flip(requireServer(140_011, "\"shop\""))).message,
        "The server of the database \"shop\" is PostgreSQL 14, which is too old: use PostgreSQL 15 or newer."
      )
      yield* requireEncoding("UTF8", "\"shop\"")
      yield* requireEncoding("SQL_ASCII", "\"shop\"")
      assert.strictEqual(
        (yield* Effect.flip(requireEncoding("LATIN1", "\"shop\""))).message,
        "The database \"shop\" has the encoding LATIN1, which lacks characters of names: " +
          "create a database with ENCODING 'UTF8' TEMPLATE template0."
      )
    }))

  it.live("refuses tables of the host in one sentence, and works in a schema of its own", () =>
    Effect.gen(function*() {
      const { database, url } = yield* databaseWithRole
      yield* asAdministrator(
        url,
        "create table partner (id int)",
        "insert into partner values (7)",
        "create view job as select 1 as one",
        "create table orders (id int)"
      )
      const error = yield* Effect.flip(migrateAt(url))
      assert.instanceOf(error, SchemaUnusable)
      assert.strictEqual(
        error.message,
        `The schema "public" of the database "${database}" has tables with names that Lastro needs and that Lastro ` +
          `did not create (job, partner): ${remedy}.`
      )
      assert.deepStrictEqual(yield* tablesIn(url, "public"), ["orders", "partner"])
      const root = yield* storeRootPartner().pipe(inSchema(url, "lastro"))
      assert.deepStrictEqual(yield* checkInvariants.pipe(inSchema(`${url}?schema=lastro`)), [])
      assert.strictEqual((yield* asAdministrator(url, "select id from lastro.partner"))[0]?.["id"], root.partner_id)
      assert.deepStrictEqual(yield* asAdministrator(url, "select * from partner"), [{ id: 7 }])
      assert.deepStrictEqual(yield* tablesIn(url, "public"), ["orders", "partner"])
      const created = yield* tablesIn(url, "lastro")
      assert.deepStrictEqual(
        created,
        [...tableNames, "lastro_migration"].filter((name) => !["partner_ancestor", "partner_closure"].includes(name))
          .toSorted()
      )
    }))

  it.live("refuses other objects of the host in one sentence", () =>
    Effect.gen(function*() {
      const { database, url } = yield* databaseWithRole
      yield* asAdministrator(url, "create table orders (id int)", "create index partner_created on orders (id)")
      assert.strictEqual(
        yield* refusalAt(url),
        `Lastro cannot be installed in the schema "public" of the database "${database}", because of a name that it ` +
          `needs (relation "partner_created" already exists): ${remedy}.`
      )
      assert.deepStrictEqual(yield* tablesIn(url, "public"), ["orders"])
    }))

  it.live("states the SQL for each privilege that the role lacks, and works once it has run", () =>
    Effect.gen(function*() {
      const { database, role, roleUrl, url } = yield* databaseWithRole
      const messages = []
      for (let attempt = 0; attempt < 2; attempt++) {
        const message = yield* refusalAt(roleUrl, "Own-\"1")
        messages.push(message)
        yield* mend(url, message)
      }
      assert.deepStrictEqual(messages, [
        `The role "${role}" cannot create the schema "Own-""1" in the database "${database}": ` +
        `run CREATE SCHEMA "Own-""1" AUTHORIZATION "${role}" in this database as an administrator.`,
        `The role "${role}" cannot create the extension pg_trgm in the database "${database}": ` +
        `run CREATE EXTENSION pg_trgm SCHEMA "public" in this database as an administrator.`
      ])
      assert.lengthOf(yield* migrateAt(roleUrl, "Own-\"1"), count)

      yield* asAdministrator(url, "create schema granted")
      const granted = yield* refusalAt(roleUrl, "granted")
      assert.strictEqual(
        granted,
        `The role "${role}" cannot create tables in the schema "granted" of the database "${database}": ` +
          `run GRANT USAGE, CREATE ON SCHEMA "granted" TO "${role}" in this database as an administrator.`
      )

      // Since PostgreSQL 15, only the owner of a database creates tables in `public`.
      const inPublic = yield* refusalAt(roleUrl)
      assert.include(inPublic, `run GRANT USAGE, CREATE ON SCHEMA "public" TO "${role}" in this database`)
      yield* mend(url, inPublic)
      assert.lengthOf(yield* migrateAt(roleUrl), count)

      yield* asAdministrator(url, `alter role "${role}" in database "${database}" set search_path = ''`)
      assert.strictEqual(
        yield* refusalAt(roleUrl),
        `The role "${role}" can use no schema of its search_path in the database "${database}": ` +
          "set a schema with the option schema, the parameter schema of the database URL, or LASTRO_SCHEMA."
      )
    }))

  it.live("uses pg_trgm in any schema that the role may use", () =>
    Effect.gen(function*() {
      const { database, role, roleUrl, url } = yield* databaseWithRole
      yield* asAdministrator(
        url,
        "create schema \"Ext-1\"",
        "create extension pg_trgm schema \"Ext-1\"",
        `create schema lastro authorization "${role}"`
      )
      const message = yield* refusalAt(roleUrl, "lastro")
      assert.strictEqual(
        message,
        `The role "${role}" cannot use the extension pg_trgm in the schema "Ext-1" of the database "${database}": ` +
          `run GRANT USAGE ON SCHEMA "Ext-1" TO "${role}" in this database as an administrator.`
      )
      yield* mend(url, message)
      assert.lengthOf(yield* migrateAt(roleUrl, "lastro"), count)
      const [index] = yield* asAdministrator(url, "select pg_get_indexdef('lastro.partner_search'::regclass) as text")
      assert.include(String(index?.["text"]), "\"Ext-1\".gin_trgm_ops")
    }))

  it.live("creates the schema and the extension as a role that may create schemas", () =>
    Effect.gen(function*() {
      const { database, role, roleUrl, url } = yield* databaseWithRole
      yield* asAdministrator(url, `grant create on database "${database}" to "${role}"`)
      const schemas = ["one", "one", "other", "other"]
      const ran = yield* Effect.forEach(schemas, (schema) => migrateAt(roleUrl, schema), { concurrency: "unbounded" })
      assert.sameMembers(ran.map(({ length }) => length), [count, 0, count, 0])
      // The extension is shared, so it is not in the schema of an installation.
      const [extension] = yield* asAdministrator(
        url,
        "select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'"
      )
      assert.deepStrictEqual(extension, { schema: "public" })
    }))

  it.live("grants a role what a node needs, and nothing on other tables of the schema", () =>
    Effect.gen(function*() {
      const owner = yield* databaseWithRole
      const node = `Node "${owner.role}`
      yield* Effect.acquireRelease(
        asAdministrator(owner.url, `create role "${node.replaceAll("\"", "\"\"")}" login`),
        // Its privileges are those of a database that is dropped first.
        () =>
          asAdministrator(
            owner.url,
            `drop owned by "${node.replaceAll("\"", "\"\"")}"`,
            `drop role "${node.replaceAll("\"", "\"\"")}"`
          )
      )
      const { database, role, roleUrl, url } = owner
      const nodeUrl = new URL(url)
      nodeUrl.username = node
      nodeUrl.password = ""
      const grantAs = (asUrl: string, to: string) =>
        Effect.provide(grantToNodes(to), PgDatabase.layer({ url: asUrl, schema: "lastro" }), { local: true })
      const refusal = (asUrl: string, to: string) =>
        Effect.map(Effect.flip(grantAs(asUrl, to)), ({ message }) => message)

      yield* asAdministrator(url, `create schema lastro authorization "${role}"`, "create extension pg_trgm")
      yield* migrateAt(roleUrl, "lastro")
      yield* asAdministrator(url, "create table lastro.orders (id int)")
      assert.strictEqual(
        yield* refusal(roleUrl, "no-such-role"),
        "The role \"no-such-role\", which should get the privileges of a node, does not exist: run CREATE ROLE " +
          `"no-such-role" LOGIN in the database "${database}" as an administrator, or correct its name.`
      )
      // Twice: the second one changes nothing.
      for (let attempt = 0; attempt < 2; attempt++) yield* grantAs(roleUrl, node)
      const start = Effect.scoped(Layer.build(layerPostgres({ url: nodeUrl.href, schema: "lastro" })))
      yield* start
      const [held] = yield* asAdministrator(
        url,
        `select has_table_privilege(rolname, 'lastro.orders', 'SELECT') as others,
          has_table_privilege(rolname, 'lastro.lastro_migration', 'INSERT') as migrations,
          has_table_privilege(rolname, 'lastro.audit', 'TRUNCATE') as truncates,
          has_schema_privilege(rolname, 'lastro', 'CREATE') as creates
          from pg_roles where rolname = '${node}'`
      )
      assert.deepStrictEqual(held, { others: false, migrations: false, truncates: false, creates: false })
      assert.match(
        yield* refusal(nodeUrl.href, role),
        /^The role "Node ""Role-\w+" cannot grant privileges on the tables .* belong to the role "Role-\w+": run the command as/
      )
    }))

  it.live("without the migration, a start states each thing that is missing, and works once it is mended", () =>
    Effect.gen(function*() {
      const { database, role, roleUrl, url } = yield* databaseWithRole
      const startAt = (schema = "lastro") =>
        Effect.scoped(Layer.build(layerPostgres({ url: roleUrl, schema, migrate: false })))
      const refusal = Effect.map(Effect.flip(startAt()), ({ message }) => message)
      assert.strictEqual(
        yield* refusal,
        `The database "${database}" has no installation of Lastro in the search_path ("lastro"): migrate it as the ` +
          "owner of the schema, with a start without `migrate: false` or with `migrate`, or set the schema of the " +
          "installation with the option schema, the parameter schema of the database URL, or LASTRO_SCHEMA."
      )
      yield* migrateAt(url, "lastro")

      const messages = []
      for (let attempt = 0; attempt < 2; attempt++) {
        const message = yield* refusal
        messages.push(message)
        yield* mend(url, message)
      }
      const lacking =
        `The role "${role}" lacks privileges on tables of the schema "lastro" of the database "${database}": ` +
        `run GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "lastro" TO "${role}"; GRANT USAGE ON ALL ` +
        `SEQUENCES IN SCHEMA "lastro" TO "${role}" in this database as an administrator.`
      assert.deepStrictEqual(messages, [
        `The role "${role}" cannot use the schema "lastro" of the database "${database}": run GRANT USAGE ON SCHEMA ` +
        `"lastro" TO "${role}" in this database as an administrator.`,
        lacking
      ])
      yield* startAt()

      for (const withheld of ["delete on lastro.audit", "usage on sequence lastro.job_fence"]) {
        yield* asAdministrator(url, `revoke ${withheld} from "${role}"`)
        assert.strictEqual(yield* refusal, lacking)
        // A start with the migration checks the privileges, too, although none is pending.
        const started = Effect.scoped(Layer.build(layerPostgres({ url: roleUrl, schema: "lastro" })))
        assert.strictEqual((yield* Effect.flip(started)).message, lacking)
        yield* mend(url, lacking)
      }

      yield* asAdministrator(url, "alter table lastro.audit rename to archived")
      assert.strictEqual(
        yield* refusal,
        `Tables of the schema "lastro" of the database "${database}" are missing (audit): restore them from a backup.`
      )
      yield* asAdministrator(url, "alter table lastro.archived rename to audit", "drop extension pg_trgm cascade")
      const extension = yield* refusal
      assert.strictEqual(
        extension,
        `The extension pg_trgm, which the indexes of searches need, is missing in the database "${database}": ` +
          `run CREATE EXTENSION pg_trgm SCHEMA "public" in this database as an administrator.`
      )
      yield* mend(url, extension)
      yield* startAt()

      yield* asAdministrator(url, `delete from lastro.lastro_migration where migration_id = ${count}`)
      assert.strictEqual(
        yield* refusal,
        `The schema "lastro" of the database "${database}" has version ${count - 1}, and this program needs version ` +
          `${count}: migrate it as the owner of the schema, with a start without \`migrate: false\` or with \`migrate\`.`
      )
    }))

  it.live("needs no more than SELECT if nothing is pending, and the owner if something is", () =>
    Effect.gen(function*() {
      const { database, role, roleUrl, url } = yield* databaseWithRole
      const owner = new URL(url).username
      yield* migrateAt(url, "lastro")
      const forbidden = yield* refusalAt(roleUrl, "lastro")
      assert.strictEqual(
        forbidden,
        `The role "${role}" cannot use the schema "lastro" of the database "${database}": run GRANT USAGE ON SCHEMA ` +
          `"lastro" TO "${role}" in this database as an administrator.`
      )
      yield* mend(url, forbidden)
      const lacking = yield* refusalAt(roleUrl, "lastro")
      assert.strictEqual(
        lacking,
        `The role "${role}" cannot migrate the schema "lastro" of the database "${database}" (permission denied for ` +
          "table lastro_migration): migrate as the owner of the tables, or run GRANT SELECT, INSERT, UPDATE, DELETE " +
          `ON ALL TABLES IN SCHEMA "lastro" TO "${role}"; GRANT USAGE ON ALL SEQUENCES IN SCHEMA "lastro" TO "${role}" ` +
          "in this database as an administrator."
      )
      yield* mend(url, lacking)
      // The role reads, writes and starts jobs, and it cannot create anything.
      const [may] = yield* asAdministrator(
        url,
        `select has_sequence_privilege('${role}', 'lastro.job_fence', 'USAGE') as start_jobs`
      )
      assert.deepStrictEqual(may, { start_jobs: true })
      const root = yield* storeRootPartner().pipe(inSchema(roleUrl, "lastro"))
      assert.deepStrictEqual(yield* asAdministrator(url, "select id from lastro.partner"), [{ id: root.partner_id }])

      yield* asAdministrator(
        url,
        `delete from lastro.lastro_migration where migration_id = ${count}`,
        `grant create on schema lastro to "${role}"`
      )
      assert.strictEqual(
        yield* refusalAt(roleUrl, "lastro"),
        `The role "${role}" cannot migrate the schema "lastro" of the database "${database}", because its tables ` +
          `belong to the role "${owner}": migrate as this role, or run GRANT "${owner}" TO "${role}" as an administrator.`
      )
    }))
})
