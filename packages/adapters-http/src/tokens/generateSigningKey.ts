import { now, type SigningKey } from "@lastro/domain"
import { Effect } from "effect"
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose"

const fresh = async () => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  const jwk = await exportJWK(privateKey)
  return { jwk, kid: await calculateJwkThumbprint(jwk) }
}

/** A new key pair for signing access tokens (ES256), live from now on; its `kid` is its thumbprint (RFC 7638). */
export const generateSigningKey: Effect.Effect<SigningKey> = Effect.gen(function*() {
  const { jwk, kid } = yield* Effect.promise(fresh)
  return { kid, private_jwk: JSON.stringify(jwk), created_at: yield* now, retired_at: null }
})
