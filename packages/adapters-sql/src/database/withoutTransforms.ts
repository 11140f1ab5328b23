import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Runs an effect with the same client and in the same transaction, but without renaming columns. The service that
 * embeds Lastro can configure its client to rename them (`transformResultNames`, `transformQueryNames`). The statements
 * of this package, however, read columns by their names in the database.
 */
export const withoutTransforms = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | SqlClient.SqlClient> =>
  Effect.updateService(effect, SqlClient.SqlClient, (sql) => sql.withoutTransforms())

/** Provides the client of {@link withoutTransforms} to layers. */
export const layerWithoutTransforms: Layer.Layer<SqlClient.SqlClient, never, SqlClient.SqlClient> = Layer.effect(
  SqlClient.SqlClient,
  Effect.map(SqlClient.SqlClient, (sql) => sql.withoutTransforms())
)
