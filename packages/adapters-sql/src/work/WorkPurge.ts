import { Duration } from "effect"
import { Singleton } from "effect/cluster"
import { endlessRounds } from "../database/pollForever.ts"
import { purgeWork, worksPerPurge } from "./purgeWork.ts"

/** What is kept of works that have ended. */
export interface WorkPurgeOptions {
  /** For how long after a work was started what is kept of it outlives its end; one hour unless given. */
  readonly keepEnded?: Duration.Input | undefined
  /** The pause once nothing is left to take away; one minute unless given. */
  readonly purgeEvery?: Duration.Input | undefined
}

/** Takes works that have ended away in the background, on one node of all; a round that fails is logged and tried again. */
export const layer = ({ keepEnded = "1 hour", purgeEvery = "1 minute" }: WorkPurgeOptions = {}) =>
  Singleton.make(
    "WorkPurge",
    endlessRounds({
      round: purgeWork(Duration.fromInputUnsafe(keepEnded)),
      full: worksPerPurge,
      pause: purgeEvery,
      failure: "Ended work could not be taken away"
    })
  )
