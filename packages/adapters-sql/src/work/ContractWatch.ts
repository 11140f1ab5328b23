import { contractsPerRound, lookAtContracts } from "@lastro/domain"
import { type Duration } from "effect"
import { Singleton } from "effect/cluster"
import { endlessRounds } from "../database/pollForever.ts"

/** How often contracts are looked at. */
export interface ContractWatchOptions {
  /** The pause before it is looked again which contracts are due; 200 milliseconds unless given. */
  readonly lookEvery?: Duration.Input | undefined
}

/** Looks at the contracts that are due, again and again, on one node of all; a round that fails is logged and tried again. */
export const layer = ({ lookEvery = "200 millis" }: ContractWatchOptions = {}) =>
  Singleton.make(
    "ContractWatch",
    endlessRounds({
      round: lookAtContracts(),
      full: contractsPerRound,
      pause: lookEvery,
      failure: "Contracts could not be looked at"
    })
  )
