import { type SigningKey, SigningKeyRepository, timestampOf } from "@lastro/domain"
import { Effect, Layer, Schema } from "effect"
import { calculateJwkThumbprint } from "jose"
import { importSigningKey, type UnusableSigningKey } from "./importSigningKey.ts"

const Jwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  d: Schema.String,
  kid: Schema.optionalKey(Schema.NonEmptyString)
})

const decodeJwkSet = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ keys: Schema.NonEmptyArray(Jwk) }))
)

/** The text is no JWK set (RFC 7517 §5) of ES256 key pairs. */
export class UnreadableSigningKeys extends Schema.TaggedError<UnreadableSigningKeys>()("UnreadableSigningKeys", {}) {}

/** The keys of a set: the first signs, all verify. */
const keysOf = Effect.fnUntraced(function*(text: string) {
  const { keys } = yield* decodeJwkSet(text)
  return yield* Effect.forEach(keys, ({ kid, ...jwk }, index) =>
    Effect.map(
      Effect.promise(() => calculateJwkThumbprint(jwk)),
      (thumbprint): SigningKey => ({
        kid: kid ?? thumbprint,
        private_jwk: JSON.stringify(jwk),
        // The newest key signs, so the order of the set becomes one of ages.
        created_at: timestampOf((keys.length - index) * 1000),
        retired_at: null
      })
    ))
})

/**
 * Signing keys from the text of a private JWK set, for operators who keep their keys elsewhere: the first signs, all
 * verify. Rotating means putting a new key behind the first, then before it, then taking the old one out.
 */
export const layerFileSigningKeys = (
  text: string
): Layer.Layer<SigningKeyRepository, UnreadableSigningKeys | UnusableSigningKey> =>
  Layer.effect(
    SigningKeyRepository,
    Effect.gen(function*() {
      const keys = yield* Effect.mapError(keysOf(text), () => new UnreadableSigningKeys())
      yield* Effect.forEach(keys, importSigningKey)
      const fixed = Effect.die(new Error("The signing keys are fixed by the configuration."))
      return SigningKeyRepository.of({
        all: Effect.succeed(keys),
        insert: (_, { onlyIfEmpty }) => onlyIfEmpty ? Effect.void : fixed,
        retire: () => fixed
      })
    })
  )
