import { SecretGenerator } from "@lastro/domain"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** Bytes of randomness in a secret. */
const bytes = 32

/** Secrets of 256 random bits in base64url. */
export const layerSecretGenerator: Layer.Layer<SecretGenerator, never, SecureRandom.SecureRandom> = Layer.effect(
  SecretGenerator,
  Effect.map(SecureRandom.SecureRandom, (random) =>
    SecretGenerator.of({
      next: Effect.map(random.randomBytes(bytes), (secret) => Redacted.make(Base64Url.encode(secret)))
    }))
)
