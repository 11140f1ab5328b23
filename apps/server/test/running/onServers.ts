import { layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { isOrdeal } from "../../../../test/rounds.ts"
import { type InProcessServer, serveInProcess } from "./inProcess.ts"
import { type Environment } from "./lastro.ts"
import { onPostgres, startServer } from "./serving.ts"

/** The running cases by their name and database. */
class Runs extends Context.Service<Runs, ReadonlyMap<string, Fiber.Fiber<void>>>()(
  "@lastro/server/test/running/onServers/Runs"
) {}

/** A server, in a process of its own or in the test process. */
export type ServedApi = Pick<InProcessServer, "port" | "url">

/** Starts a server with these settings. */
export type Serve = (environment: Environment) => Effect.Effect<ServedApi, never, Scope.Scope>

/**
 * Cases that run on a server. `start` starts the server, and makes what its cases share, for example a client that is
 * signed in.
 */
export interface ServerCases<A> {
  readonly start: (serve: Serve) => Effect.Effect<A, never, Scope.Scope>
  readonly cases: Readonly<Record<string, (shared: A) => Effect.Effect<void>>>
  /** Returns the name of a test. Default: the name of the case, and the database. */
  readonly title?: (name: string, database: string) => string
}

/** PGlite only in `pnpm ordeal:races`: in other runs, the tests of the tour and of restarts originate loans on PGlite. */
const databases = isOrdeal ? ["PostgreSQL", "PGlite"] as const : ["PostgreSQL"] as const

const serveOn: Readonly<Record<(typeof databases)[number], Serve>> = {
  // PGlite would block the thread of the tests, so it runs in a process of its own.
  PGlite: startServer,
  PostgreSQL: (environment) =>
    Effect.flatMap(migratedDatabase, (url) => serveInProcess({ ...onPostgres(url), ...environment }))
}

/** Starts a server on each database, and runs every case concurrently, because contracts take seconds. */
export const onServers = <A>(
  subject: string,
  { cases, start, title = (name, database) => `${name} on ${database}` }: ServerCases<A>
): void => {
  const runAll = Layer.effect(
    Runs,
    Effect.gen(function*() {
      const runs = new Map<string, Fiber.Fiber<void>>()
      for (const database of databases) {
        const shared = yield* start(serveOn[database])
        for (const [name, run] of Object.entries(cases)) {
          runs.set(`${name} on ${database}`, yield* Effect.forkScoped(run(shared)))
        }
      }
      return runs
    })
  )
  layer(runAll, { timeout: 60_000, excludeTestServices: true })(subject, (it) => {
    for (const name of Object.keys(cases)) {
      for (const database of databases) {
        it.effect(title(name, database), () =>
          Effect.gen(function*() {
            const run = (yield* Runs).get(`${name} on ${database}`)
            yield* run === undefined ? Effect.die(new Error(`no case ${name}`)) : Fiber.join(run)
          }), 60_000)
      }
    }
  })
}
