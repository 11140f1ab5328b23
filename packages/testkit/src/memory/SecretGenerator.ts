import { SecretGenerator } from "@lastro/domain"
import { Effect, Layer, Redacted, Ref } from "effect"

/** Secrets counted up from one, the same in every run: unlike each other, and easy to guess. Not secure. */
export const layer = Layer.effect(
  SecretGenerator,
  Effect.map(Ref.make(0), (count) =>
    SecretGenerator.of({
      next: Effect.map(
        Ref.updateAndGet(count, (last) => last + 1),
        (number) => Redacted.make(`not-a-secret_${String(number).padStart(24, "0")}`)
      )
    }))
)
