import { Effect } from "effect"
import { Statement } from "effect/sql"

/** How an effect ends that dies in place of the statement that would follow the first `count`, and whether there was one. */
export const faultAfter = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let begun = 0
    return effect.pipe(
      Effect.provideService(
        Statement.CurrentTransformer,
        (statement) => ++begun > count ? Effect.die("fault") : Effect.succeed(statement)
      ),
      Effect.exit,
      Effect.map((exit) => ({ exit, struck: begun > count }))
    )
  })
