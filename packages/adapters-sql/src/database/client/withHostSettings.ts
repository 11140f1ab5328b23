import { Effect, Exit } from "effect"

/**
 * Runs a statement of the host between the change to the settings of the host and the change back. A statement that the database refuses has
 * failed the transaction, and the rollback restores the settings. Any other failure leaves the transaction usable, so the settings are changed
 * back after each failure.
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
