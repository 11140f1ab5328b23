import { IdGenerator, SecretGenerator } from "@lastro/domain/ports"
import { Effect, Layer, Redacted, Ref } from "effect"

/** Generates sequential ids in the format of UUID version 7, the same in every run. */
export const layerIdGenerator = Layer.effect(
  IdGenerator,
  Effect.map(Ref.make(0), (count) =>
    IdGenerator.of({
      next: Effect.map(
        Ref.updateAndGet(count, (last) => last + 1),
        (number) => `01900000-0000-7000-9000-${number.toString(16).padStart(12, "0")}`
      )
    }))
)

/** Generates sequential secrets, the same in every run. Not secure: for tests only. */
export const layerSecretGenerator = Layer.effect(
  SecretGenerator,
  Effect.map(Ref.make(0), (count) =>
    SecretGenerator.of({
      next: Effect.map(
        Ref.updateAndGet(count, (last) => last + 1),
        (number) => Redacted.make(`not-a-secret_${String(number).padStart(24, "0")}`)
      )
    }))
)
