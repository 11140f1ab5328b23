import { IdGenerator, SecretGenerator } from "@lastro/domain/id"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** Generates ids as UUIDs version 7 (RFC 9562). */
export const layerIdGenerator: Layer.Layer<IdGenerator, never, SecureRandom.SecureRandom> = Layer.effect(
  IdGenerator,
  Effect.map(SecureRandom.SecureRandom, (random) => IdGenerator.of({ next: random.uuidV7() }))
)

const secretBytes = 32

/** Generates secrets of 256 random bits, encoded in base64url. */
export const layerSecretGenerator: Layer.Layer<SecretGenerator, never, SecureRandom.SecureRandom> = Layer.effect(
  SecretGenerator,
  Effect.map(SecureRandom.SecureRandom, (random) =>
    SecretGenerator.of({
      next: Effect.map(random.randomBytes(secretBytes), (secret) => Redacted.make(Base64Url.encode(secret)))
    }))
)
