import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { randomBytes } from "node:crypto"
import pg from "pg"
import { afterAll, beforeAll, inject } from "vitest"
import { migrate, PgDatabase } from "../src/index.ts"

let superuser: Promise<PgClient.PgClient> | undefined

/** Opens the connection of the superuser, one for all files of this process: connecting costs more than most statements. */
const openSuperuser = (): Promise<PgClient.PgClient> =>
  superuser ??= Effect.runPromise(
    PgClient.make({ url: Redacted.make(inject("databaseUrl")), maxConnections: 1 }).pipe(
      Scope.provide(Scope.makeUnsafe()),
      Effect.provide(Reactivity.layer)
    )
  )

/** Runs one statement as the superuser of the PostgreSQL of this test run. */
export const administer = (statement: string): Effect.Effect<void> =>
  Effect.flatMap(Effect.promise(openSuperuser), (sql) => sql.unsafe(statement)).pipe(Effect.orDie, Effect.asVoid)

/**
 * Makes a pool of the driver `pg`. Its end does not wait for connections that are closing, and the end of the database may
 * terminate these. That is no error.
 */
export const makePool = (config: pg.PoolConfig): pg.Pool => {
  const ignoreTermination = (error: Error): void => {
    if (!("code" in error) || error.code !== "57P01") throw error
  }
  return new pg.Pool(config)
    .on("error", ignoreTermination)
    .on("connect", (client) => client.on("error", ignoreTermination))
}

/**
 * Creates a PostgreSQL database from a template and returns its URL. Drops it and its connections when the scope closes. The
 * strategy copies files instead of writing each page to the log, which is fast in memory and without durability.
 */
const createDatabase = (template: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.suspend(() => {
    const name = `t_${randomBytes(8).toString("hex")}`
    const url = new URL(inject("databaseUrl"))
    url.pathname = `/${name}`
    return Effect.acquireRelease(
      Effect.as(administer(`create database ${name} template ${template} strategy file_copy`), url.href),
      () => administer(`drop database ${name} with (force)`)
    )
  })

/** Creates an empty PostgreSQL database and returns its URL. Drops it and its connections when the scope closes. */
export const freshDatabase = createDatabase("template0")

/** Creates an empty database for all tests of a file. Returns a function that returns its URL. */
export const databaseOfFile = (): () => string => {
  const scope = Scope.makeUnsafe()
  let url = ""
  beforeAll(async () => {
    url = await Effect.runPromise(Scope.provide(freshDatabase, scope))
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => url
}

const template = `lastro_template_${process.ppid}`

/** Creates the database that {@link migratedDatabase} copies, unless a worker of this test run has created it. */
const createTemplate = Effect.gen(function*() {
  const url = new URL(inject("databaseUrl"))
  const sql = yield* PgClient.make({ url: Redacted.make(url.href), maxConnections: 1 })
  yield* sql`select pg_advisory_lock(hashtext(${template}))`
  const found = yield* sql`select from pg_database where datname = ${template}`
  if (found.length > 0) return
  const draft = `${template}_draft`
  yield* sql.unsafe(`create database ${draft} template template0`)
  url.pathname = `/${draft}`
  yield* Effect.provide(migrate, PgDatabase.layer({ url: Redacted.make(url.href) }), { local: true })
  yield* sql.unsafe(`alter database ${draft} rename to ${template}`)
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.orDie)

let created: Promise<void> | undefined

/** As {@link freshDatabase}, but with the tables of Lastro. Copying them is faster than running the migrations. */
export const migratedDatabase: Effect.Effect<string, never, Scope.Scope> = Effect.andThen(
  Effect.promise(() => created ??= Effect.runPromise(createTemplate)),
  createDatabase(template)
)
