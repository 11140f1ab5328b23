import { IdGenerator } from "@lastro/domain"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** Ids as UUIDs of version 7. */
export const layerIdGenerator: Layer.Layer<IdGenerator, never, SecureRandom.SecureRandom> = Layer.effect(
  IdGenerator,
  Effect.map(SecureRandom.SecureRandom, (random) => IdGenerator.of({ next: random.uuidV7() }))
)
