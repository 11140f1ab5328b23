import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Runs an effect with the same client and transaction, but without renaming columns. A host can configure its client to
 * rename columns (`transformResultNames`, `transformQueryNames`). The statements of this package need the names of the
 * database.
 */
export const withoutTransforms = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | SqlClient.SqlClient> =>
  Effect.updateService(effect, SqlClient.SqlClient, (sql) => sql.withoutTransforms())

/** Provides layers with an SQL client that does not transform names. */
export const layerWithoutTransforms: Layer.Layer<SqlClient.SqlClient, never, SqlClient.SqlClient> = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(SqlClient.SqlClient, (sql) => sql.withoutTransforms())
)
