import { Context, Effect, Layer } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { type Environment } from "./lastro.ts"
import { onPostgres, type RunningServer, startServer } from "./serving.ts"

/** A server that the tests of a file share, with the URL of its PostgreSQL database. */
export class Server extends Context.Service<Server, RunningServer & { readonly database: string }>()(
  "@lastro/server/test/running/Server"
) {}

/** Starts a server on a fresh PostgreSQL database. */
export const layerServer = (environment: Environment = {}): Layer.Layer<Server> =>
  Layer.effect(
    Server,
    Effect.gen(function*() {
      const database = yield* migratedDatabase
      return Server.of({ ...yield* startServer({ ...onPostgres(database), ...environment }), database })
    })
  )
