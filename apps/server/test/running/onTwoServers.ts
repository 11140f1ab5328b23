import { layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { type Environment } from "./lastro.ts"
import { onPostgres, type RunningServer, startServer } from "./serving.ts"

/** The running cases by their name and database. */
class Runs extends Context.Service<Runs, ReadonlyMap<string, Fiber.Fiber<void>>>()(
  "@lastro/server/test/running/onTwoServers/Runs"
) {}

/** Cases that run on a server. `start` makes what the cases of one server share, for example a client that is signed in. */
export interface ServerCases<A> {
  readonly environment: Environment
  readonly start: (server: RunningServer) => Effect.Effect<A>
  readonly cases: Readonly<Record<string, (shared: A) => Effect.Effect<void>>>
  /** Returns the name of a test. Default: the name of the case, and the database. */
  readonly title?: (name: string, database: string) => string
}

const databases = ["PGlite", "PostgreSQL"] as const

/** Starts a server on each database, and runs every case concurrently on both, because contracts take seconds. */
export const onTwoServers = <A>(
  subject: string,
  { cases, environment, start, title = (name, database) => `${name} on ${database}` }: ServerCases<A>
): void => {
  const runAll = Layer.effect(
    Runs,
    Effect.gen(function*() {
      const postgres = onPostgres(yield* migratedDatabase)
      const servers = yield* Effect.all({
        PGlite: startServer(environment),
        PostgreSQL: startServer({ ...postgres, ...environment })
      }, { concurrency: 2 })
      const runs = new Map<string, Fiber.Fiber<void>>()
      for (const database of databases) {
        const shared = yield* start(servers[database])
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
