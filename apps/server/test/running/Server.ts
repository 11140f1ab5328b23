import { Context, Effect, Layer } from "effect"
import { migratedDatabase } from "../../../../packages/adapters-sql/test/postgres.ts"
import { type InProcessServer, serveInProcess } from "./inProcess.ts"
import { type Environment } from "./lastro.ts"
import { onPostgres } from "./serving.ts"

/** A server that the tests of a file share, with the URL of its PostgreSQL database. */
export class Server extends Context.Service<Server, InProcessServer & { readonly database: string }>()(
  "@lastro/server/test/running/Server"
) {}

/** Serves a fresh PostgreSQL database inside the test process. */
export const layerServer = (environment: Environment = {}): Layer.Layer<Server> =>
  Layer.effect(
    Server,
    Effect.gen(function*() {
      const database = yield* migratedDatabase
      return Server.of({ ...yield* serveInProcess({ ...onPostgres(database), ...environment }), database })
    })
  )
