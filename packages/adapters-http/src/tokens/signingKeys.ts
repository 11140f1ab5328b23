import { type SigningKey } from "@lastro/domain/identity"
import { currentTimestamp } from "@lastro/domain/values"
import { Effect, Schema } from "effect"
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import { type PublicJwk } from "../api/SystemApi.ts"

const PrivateJwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.String,
  y: Schema.String,
  d: Schema.String
})

const decodePrivateJwk = Schema.decodeUnknownEffect(Schema.fromJsonString(PrivateJwk))

/** An imported signing key and its published public key. */
export interface ImportedKey {
  readonly record: SigningKey
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly published: PublicJwk
}

/** A signing key that is not an ES256 key pair. The error contains only the id of the key. */
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

/** Generates a key whose id does not begin with a hyphen. A command would read such an id as a flag. */
const generateJwk = async (): Promise<{ readonly jwk: JWK; readonly kid: string }> => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  return kid.startsWith("-") ? generateJwk() : { jwk, kid }
}

/**
 * Generates an ES256 key pair for access tokens. The key is live immediately. Its `kid` is its thumbprint (RFC 7638),
 * which does not begin with a hyphen.
 */
export const generateSigningKey: Effect.Effect<SigningKey> = Effect.gen(function*() {
  const { jwk, kid } = yield* Effect.promise(generateJwk)
  return { kid, private_jwk: JSON.stringify(jwk), created_at: yield* currentTimestamp, retired_at: null }
})
