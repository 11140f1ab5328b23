import { Effect, Layer } from "effect"
import { ClusterError, RunnerStorage, SqlRunnerStorage } from "effect/cluster"
import { SqlClient } from "effect/sql"
import { prefix } from "./engineTables.ts"
import { processNumber } from "./processNumber.ts"

/**
 * Which nodes there are, and which part of the work each holds, in PostgreSQL.
 *
 * The engine numbers nodes by their names, which would have two processes of one name make the same ids; they are numbered by
 * process instead. So a name that is used twice by mistake does no harm.
 */
export const sharedRunners = Layer.effect(
  RunnerStorage.RunnerStorage,
  Effect.gen(function*() {
    const number = ClusterError.PersistenceError.refail(processNumber(yield* SqlClient.SqlClient))
    const storage = yield* RunnerStorage.RunnerStorage
    return RunnerStorage.RunnerStorage.of({
      ...storage,
      register: (runner, healthy) => Effect.andThen(storage.register(runner, healthy), number)
    })
  })
).pipe(Layer.provide(SqlRunnerStorage.layerStorage({ prefix })))
