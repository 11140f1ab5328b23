import { Effect } from "effect"
import { authorizationServerMetadata } from "../api/authorizationServerMetadata.ts"
import { type NameIn } from "../api/operationNames.ts"
import { type HealthStatus, type JwkSet } from "../api/SystemApi.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { KeyRing } from "../security/KeyRing.ts"
import { Readiness } from "../system/Readiness.ts"

const answer = (body: unknown, cacheControl: string): Encoded => ({
  status: 200,
  headers: { "cache-control": cacheControl },
  body
})

const healthy = answer({ status: "ok" } satisfies HealthStatus, "no-store")

/**
 * The `Cache-Control` header of the public keys. Its time must be shorter than the five minutes between the publication
 * of a new key and its first use.
 */
const keysMaxAge = "public, max-age=60"

/** Makes the system operations, by their endpoint names in the API definition. */
export const systemOperations = (
  issuer: string
): Readonly<Record<NameIn<"system">, () => Effect.Effect<Encoded, ServiceUnavailable, Readiness | KeyRing>>> => ({
  getHealthLive: () => Effect.succeed(healthy),
  getHealthReady: () =>
    Effect.gen(function*() {
      return (yield* (yield* Readiness).isReady) ? healthy : yield* new ServiceUnavailable()
    }),
  getJwks: () =>
    Effect.gen(function*() {
      return answer({ keys: yield* (yield* KeyRing).published } satisfies JwkSet, keysMaxAge)
    }),
  getAuthorizationServerMetadata: () => Effect.succeed(answer(authorizationServerMetadata(issuer), keysMaxAge))
})
