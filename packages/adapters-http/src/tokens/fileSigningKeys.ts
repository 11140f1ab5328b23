import { timestampOf } from "@lastro/domain/time"
import { type SigningKey, SigningKeyRepository } from "@lastro/domain/token"
import { Effect, Layer, Schema } from "effect"
import { calculateJwkThumbprint } from "jose"
import { importSigningKey, type UnusableSigningKey } from "./signingKeys.ts"

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

/** The text is not a JWK set (RFC 7517 §5) of ES256 key pairs. */
export class UnreadableSigningKeys extends Schema.TaggedError<UnreadableSigningKeys>()("UnreadableSigningKeys", {}) {}

/** Reads the keys of a JWK set. The first key signs, and all keys verify. */
const readKeys = Effect.fnUntraced(function*(text: string) {
  const { keys } = yield* decodeJwkSet(text)
  return yield* Effect.forEach(keys, ({ kid, ...jwk }, index) =>
    Effect.map(
      Effect.promise(() => calculateJwkThumbprint(jwk)),
      (thumbprint): SigningKey => ({
        kid: kid ?? thumbprint,
        private_jwk: JSON.stringify(jwk),
        // The newest key signs, so the first key of the set gets the latest creation time.
        created_at: timestampOf((keys.length - index) * 1000),
        retired_at: null
      })
    ))
})

/**
 * Reads the signing keys from the text of a private JWK set, for operators who store keys outside the database. The first key
 * signs, and all keys verify. To rotate, add the new key in second place, later move it to first place, then remove the old
 * key.
 */
export const layerFileSigningKeys = (
  text: string
): Layer.Layer<SigningKeyRepository, UnreadableSigningKeys | UnusableSigningKey> =>
  Layer.effect(
    SigningKeyRepository,
    Effect.gen(function*() {
      const keys = yield* Effect.mapError(readKeys(text), () => new UnreadableSigningKeys())
      yield* Effect.forEach(keys, importSigningKey)
      const readOnly = Effect.die(new Error("The signing keys come from the configuration and are read-only."))
      return SigningKeyRepository.of({
        all: Effect.succeed(keys),
        insert: (_, { onlyIfEmpty }) => onlyIfEmpty ? Effect.void : readOnly,
        retire: () => readOnly
      })
    })
  )
