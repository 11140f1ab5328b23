import { Effect } from "effect"

/** Waits until a condition holds; dies of it when it never does. */
export const until = <E, R>(what: string, condition: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> => {
  const waiting: Effect.Effect<void, E, R> = Effect.flatMap(
    condition,
    (holds) => holds ? Effect.void : Effect.andThen(Effect.sleep("5 millis"), waiting)
  )
  return Effect.timeoutOrElse(waiting, {
    duration: "25 seconds",
    orElse: () => Effect.die(new Error(`It never came to be that ${what}`))
  })
}
