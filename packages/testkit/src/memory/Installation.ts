import { Installation } from "@lastro/domain"
import { Effect, Layer, Result } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

/** The in-memory database as a whole. */
export const layer = Layer.effect(
  Installation,
  Effect.map(MemoryDatabase, ({ change, state }) =>
    Installation.of({
      // A change that changes nothing waits for the unit in progress.
      isEmpty: Effect.andThen(change(Result.succeed), Effect.map(state, ({ partners }) => partners.size === 0))
    }))
)
