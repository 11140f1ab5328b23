import { Readiness } from "@lastro/adapters-http"
import { WorkRunner } from "@lastro/adapters-sql"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** Ready while the database answers within two seconds and this node takes part in the durable work. */
export const readiness: Layer.Layer<Readiness, never, SqlClient.SqlClient | WorkRunner> = Layer.effect(
  Readiness,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const runner = yield* WorkRunner
    return Readiness.of({
      isReady: Effect.andThen(sql`select 1`, runner.isReady).pipe(
        Effect.timeout("2 seconds"),
        Effect.catchCause(() => Effect.succeed(false))
      )
    })
  })
)
