import { Effect } from "effect"
import { Statement } from "effect/sql"

/** What an effect gives, and how many values each of its statements binds. */
export const bindsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
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
