import { Effect, Random } from "effect"
import { type Fault } from "./Fault.ts"

/** A fault to inject, and the seed of its workload. */
export interface PlannedPhase {
  readonly fault: Fault
  /** The index of the node that the fault affects. */
  readonly victim: number
  /** True if a fault of connections affects all nodes. */
  readonly affectsAll: boolean
  readonly seed: string
}

const rounds = 100

/** Plans rounds of all faults, each round in a random order. The plan depends on the seed only. */
export const makePlan = (
  faults: ReadonlyArray<Fault>,
  nodes: number,
  seed: string
): Effect.Effect<ReadonlyArray<PlannedPhase>> =>
  Effect.forEach(
    Array.from({ length: rounds }),
    () =>
      Effect.flatMap(
        Random.shuffle(faults),
        Effect.forEach((fault) =>
          Effect.all({
            fault: Effect.succeed(fault),
            victim: Random.nextIntBetween(0, nodes - 1),
            affectsAll: Random.nextBoolean,
            seed: Effect.map(Random.nextInt, String)
          })
        )
      )
  ).pipe(Effect.map((planned) => planned.flat()), Random.withSeed(seed))
