import { IdGenerator } from "@lastro/domain"
import { Effect, Layer, Ref } from "effect"

/** Ids counted up from one, the same in every run, in the shape of UUIDs of version 7. */
export const layer = Layer.effect(
  IdGenerator,
  Effect.map(Ref.make(0), (count) =>
    IdGenerator.of({
      next: Effect.map(
        Ref.updateAndGet(count, (last) => last + 1),
        (number) => `01900000-0000-7000-9000-${number.toString(16).padStart(12, "0")}`
      )
    }))
)
