import { type Duration, Effect, Layer } from "effect"
import { type SqlClient } from "effect/sql"
import { endlessRounds } from "../database/pollForever.ts"
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
> =>
  Layer.effectDiscard(Effect.forkScoped(
    endlessRounds({ round: foldCounts, full: 1, pause: interval, failure: "Counts could not be folded" })
  ))
