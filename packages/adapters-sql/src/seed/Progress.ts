import { Effect } from "effect"

/** What a seed is at. Steps come one after the other, in this order. */
export type SeedStep = "partners" | "hierarchy" | "users" | "applications" | "counts" | "indexes" | "statistics"

/** How far a step of a seed is: `done` of `total` rows, indexes or tables. */
export interface SeedProgress {
  readonly step: SeedStep
  readonly done: number
  readonly total: number
}

/** Is told how far a seed is: of each step at least when it begins and when it has ended. */
export type OnProgress = (progress: SeedProgress) => Effect.Effect<void>

/** Tells nobody. */
export const untold: OnProgress = () => Effect.void
