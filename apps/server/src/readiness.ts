import { Readiness } from "@lastro/adapters-http"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Ready while the database answers within two seconds. */
export const readiness = Layer.effect(
  Readiness,
  Effect.map(SqlClient.SqlClient, (sql) =>
    Readiness.of({
      isReady: sql`select 1`.pipe(
        Effect.as(true),
        Effect.timeout("2 seconds"),
        Effect.catchCause(() => Effect.succeed(false))
      )
    }))
)
