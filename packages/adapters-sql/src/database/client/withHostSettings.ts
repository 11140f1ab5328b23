import { Effect, Exit } from "effect"

/**
 * Runs a statement of the host (the service that embeds Lastro) with the host's own settings: runs `enter`, then the
 * statement, then `leave`. `leave` also runs after a failure. If the database rejected the statement, the transaction
 * has failed, and `leave` fails, too. That failure is ignored, because the rollback restores the settings.
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
