import { contractsPerRound, lookAtContracts } from "@lastro/domain"
import { type Duration, Effect } from "effect"
import { Singleton } from "effect/cluster"

/** How often contracts are looked at. */
export interface ContractWatchOptions {
  /** The pause before it is looked again which contracts are due; 200 milliseconds unless given. */
  readonly lookEvery?: Duration.Input | undefined
}

/** Looks at the contracts that are due, again and again, on one node of all; a round that fails is logged and tried again. */
export const layer = ({ lookEvery = "200 millis" }: ContractWatchOptions = {}) => {
  const round = lookAtContracts().pipe(
    Effect.catchCause((cause) => Effect.as(Effect.logWarning("Contracts could not be looked at", cause), 0)),
    Effect.flatMap((looked) => looked < contractsPerRound ? Effect.sleep(lookEvery) : Effect.void)
  )
  return Singleton.make("ContractWatch", Effect.forever(round))
}
