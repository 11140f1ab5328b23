import { Effect, Exit } from "effect"

/**
 * Runs a statement of the host with the settings of the host: runs `enter`, then the statement, then `leave`. `leave`
 * also runs after a failure. If the database rejected the statement, the transaction has failed: `leave` then fails,
 * which is ignored, and the rollback restores the settings.
 */
export const withHostSettings = <A, E, R, E2, R2>(
  statement: Effect.Effect<A, E, R>,
  settings: { readonly enter: Effect.Effect<unknown, E2, R2>; readonly leave: Effect.Effect<unknown, E2, R2> }
): Effect.Effect<A, E | E2, R | R2> =>
  Effect.andThen(
    settings.enter,
    Effect.onExit(
      statement,
      (exit): Effect.Effect<unknown, E2, R2> => Exit.isSuccess(exit) ? settings.leave : Effect.ignore(settings.leave)
    )
  )
