import { type Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { foldCounts } from "./foldCounts.ts"

/** How often counts are folded. */
export interface CountFolderOptions {
  /** The pause after everything was folded; one second unless given. */
  readonly interval?: Duration.Input | undefined
}

/** Folds counted changes in the background until the layer is closed; a fold that fails is logged and tried again. */
export const layer = ({ interval = "1 second" }: CountFolderOptions = {}): Layer.Layer<
  never,
  never,
  SqlClient.SqlClient
> => {
  const round = Effect.whileLoop({
    while: () => true,
    body: () =>
      foldCounts.pipe(
        Effect.catchCause((cause) => Effect.as(Effect.logWarning("Counts could not be folded", cause), 0)),
        Effect.tap((changes) => changes === 0 ? Effect.sleep(interval) : Effect.void)
      ),
    step: () => {}
  })
  return Layer.effectDiscard(Effect.forkScoped(round))
}
