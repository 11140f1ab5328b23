import { Effect, type Scope } from "effect"
import { type SqlError } from "effect/sql/SqlError"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freshDatabase } from "../database.ts"
import { freePort } from "../server/startServer.ts"
import { type Program } from "./startUp.ts"

type Environment = Readonly<Record<string, string>>

/** A program, and the load that is applied to it. Without a load, only the start of the program is measured. */
export interface Start {
  readonly name: string
  readonly program: Effect.Effect<Program>
  readonly load?: { readonly path: `/${string}`; readonly guarded: boolean }
}

/**
 * The programs that are started one after another on the same database or folder. This database or folder is empty at
 * the first start.
 */
export type Place = Effect.Effect<ReadonlyArray<Start>, SqlError, Scope.Scope>

/** The API client that the server creates when it starts on an empty database or folder. */
export const client = { client_id: "bench", client_secret: "a-secret-for-measuring" }

/** The names of the programs with targets, and of the reference program. */
export const [onServer, embedded, reference] = ["Lastro on PostgreSQL", "Lastro on PGlite", "Fastify and pg"] as const

const users = "/api/v1/users"

const server = join(import.meta.dirname, "../../../apps/server/src/main.ts")

const lastro = (env: Environment): Effect.Effect<Program> =>
  Effect.map(freePort, (port) => ({
    file: server,
    args: ["serve"],
    env: {
      PORT: String(port),
      LASTRO_DEMO: "on",
      LASTRO_RATE_LIMIT: "off",
      LASTRO_BOOTSTRAP_CLIENT_ID: client.client_id,
      LASTRO_BOOTSTRAP_CLIENT_SECRET: client.client_secret,
      ...env
    },
    port,
    ready: "/health/ready"
  }))

/** Returns the same program, but loaded from its source files instead of the bundle, as under `node --watch`. */
const fromSources = (program: Effect.Effect<Program>): Effect.Effect<Program> =>
  Effect.map(program, (one) => ({ ...one, env: { ...one.env, WATCH_REPORT_DEPENDENCIES: "1" } }))

/** The folder into which the benchmark builds the artefact: the bundled server, as it is released. */
export const artefact = join(import.meta.dirname, "../../../.tmp/artefact")

/** Returns the same program, but started from the artefact. */
const fromArtefact = (program: Effect.Effect<Program>): Effect.Effect<Program> =>
  Effect.map(program, (one) => ({ ...one, file: join(artefact, "lastro.mjs") }))

const peer = (name: string, ready: Program["ready"], env: Environment = {}): Effect.Effect<Program> =>
  Effect.map(freePort, (port) => ({
    file: join(import.meta.dirname, "peers", `${name}.ts`),
    args: [],
    env: { PORT: String(port), ...env },
    port,
    ready
  }))

/** A Node.js server without a database. */
const nowhere: Place = Effect.succeed([
  { name: "bare Node", program: peer("bare", "/"), load: { path: "/", guarded: false } }
])

/** The programs that run on a new PostgreSQL database. The Fastify server lists the data that Lastro has created. */
const onPostgres = (url: string): Place =>
  Effect.map(freshDatabase(url), (database) => {
    const program = lastro({ DATABASE_URL: database, LASTRO_LENDER: "sandbox", LASTRO_ISSUER: "http://127.0.0.1" })
    return [
      { name: "Lastro on PostgreSQL, empty database", program },
      { name: onServer, program, load: { path: users, guarded: true } },
      { name: "Lastro on PostgreSQL, artefact", program: fromArtefact(program) },
      { name: "Lastro on PostgreSQL, from source files", program: fromSources(program) },
      {
        name: reference,
        program: peer("fastify", "/health/ready", { DATABASE_URL: database }),
        load: { path: users, guarded: false }
      }
    ]
  })

const emptyFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-bench-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** The programs that run on PGlite, in an empty folder. */
const onPglite: Place = Effect.map(emptyFolder, (LASTRO_DATA_DIR) => [
  { name: "Lastro on PGlite, empty folder", program: lastro({ LASTRO_DATA_DIR }) },
  { name: embedded, program: lastro({ LASTRO_DATA_DIR }), load: { path: users, guarded: true } },
  { name: "Lastro on PGlite, from source files", program: fromSources(lastro({ LASTRO_DATA_DIR })) }
])

/** All programs that are measured. */
export const places = (postgres: string): ReadonlyArray<Place> => [nowhere, onPostgres(postgres), onPglite]
