import { UnitOfWork } from "@lastro/domain/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { mapTransientToBusy } from "./DatabaseFailure.ts"

/** Runs a unit of work in a transaction (isolation: read committed), and a nested one in a savepoint. */
export const layer: Layer.Layer<UnitOfWork, never, SqlClient.SqlClient> = Layer.effect(
  UnitOfWork,
  Effect.map(SqlClient.SqlClient, (sql) =>
    UnitOfWork.of({
      atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => mapTransientToBusy(sql.withTransaction(effect)),
      isOpen: Effect.map(Effect.serviceOption(sql.transactionService), Option.isSome)
    }))
)
