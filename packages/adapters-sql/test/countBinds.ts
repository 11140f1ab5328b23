import { Effect } from "effect"
import { Statement } from "effect/sql"

/** Runs an effect and counts the values that each of its statements binds. */
export const countBinds = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const binds: Array<number> = []
  return effect.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        binds.push(statement.compile()[1].length)
        return statement
      })),
    Effect.map((value) => ({ value, binds }))
  )
}
