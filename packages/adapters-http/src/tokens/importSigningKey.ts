import { type SigningKey } from "@lastro/domain"
import { Effect, Schema } from "effect"
import { type CryptoKey, importJWK } from "jose"
import { type PublicJwk } from "../api/SystemApi.ts"

const PrivateJwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  d: Schema.String
})

const decodePrivateJwk = Schema.decodeUnknownEffect(Schema.fromJsonString(PrivateJwk))

/** A signing key ready for use, and its public half as it is published. */
export interface ImportedKey {
  readonly record: SigningKey
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly published: PublicJwk
}

/** A signing key that cannot be used: it is no ES256 key pair. Says nothing of the key but its id. */
export class UnusableSigningKey extends Schema.TaggedError<UnusableSigningKey>()("UnusableSigningKey", {
  kid: Schema.String
}) {}

/** Imports a key pair from its JWK (RFC 7517). */
export const importSigningKey = (record: SigningKey): Effect.Effect<ImportedKey, UnusableSigningKey> =>
  Effect.gen(function*() {
    const { crv, d, kty, x, y } = yield* decodePrivateJwk(record.private_jwk)
    const { privateKey, publicKey } = yield* Effect.tryPromise(async () => ({
      privateKey: await importJWK({ kty, crv, x, y, d }, "ES256"),
      publicKey: await importJWK({ kty, crv, x, y }, "ES256")
    }))
    const published: PublicJwk = { kty, crv, x, y, kid: record.kid, alg: "ES256", use: "sig" }
    return { record, privateKey, publicKey, published }
  }).pipe(Effect.mapError(() => new UnusableSigningKey({ kid: record.kid })))
