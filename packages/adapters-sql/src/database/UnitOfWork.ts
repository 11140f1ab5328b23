import { UnitOfWork } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { busyOrDie } from "./busyOrDie.ts"

/** Units of work as transactions (read committed), inner ones as savepoints. */
export const layer: Layer.Layer<UnitOfWork, never, SqlClient.SqlClient> = Layer.effect(
  UnitOfWork,
  Effect.map(SqlClient.SqlClient, (sql) =>
    UnitOfWork.of({
      atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => busyOrDie(sql.withTransaction(effect))
    }))
)
