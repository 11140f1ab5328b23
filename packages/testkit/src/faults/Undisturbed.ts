import { Context, Effect } from "effect"

/** Whether calls pass every switch, unrecorded: what a test arranges is no part of what it observes. */
export const Undisturbed = Context.Reference<boolean>("@lastro/testkit/faults/Undisturbed", {
  defaultValue: () => false
})

/** Arranges something for a test: its calls of ports pass every switch, and are not recorded. */
export const undisturbed: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Undisturbed,
  true
)
