import { alarmsAt, NodeAlarms } from "@lastro/domain/adapters"
import { Clock, Effect } from "effect"
import { type NameIn } from "../api/Api.ts"
import { authorizationServerMetadata, type HealthStatus, type JwkSet } from "../api/SystemApi.ts"
import { type Encoded } from "../errors/encodeRefusal.ts"
import { ServiceUnavailable } from "../errors/HttpRefusals.ts"
import { KeyRing } from "../security/KeyRing.ts"
import { Readiness } from "./Readiness.ts"

const answer = (body: unknown, cacheControl: string): Encoded => ({
  status: 200,
  headers: { "cache-control": cacheControl },
  body
})

const healthy = answer({ status: "ok" } satisfies HealthStatus, "no-store")

/**
 * The `Cache-Control` header of the public keys. Its time must be shorter than the five minutes between the publication
 * and the first use of a key.
 */
const keysMaxAge = "public, max-age=60"

/** Makes the system operations, by their endpoint names. */
export const systemOperations = (
  issuer: string
): Readonly<Record<NameIn<"system">, () => Effect.Effect<Encoded, ServiceUnavailable, Readiness | KeyRing>>> => ({
  getHealthLive: () => Effect.succeed(healthy),
  getHealthReady: () =>
    Effect.gen(function*() {
      if (!(yield* (yield* Readiness).isReady)) return yield* new ServiceUnavailable()
      const alarms = alarmsAt(yield* NodeAlarms, yield* Clock.currentTimeMillis)
      return alarms.length === 0 ? healthy : answer({ status: "ok", alarms } satisfies HealthStatus, "no-store")
    }),
  getJwks: () =>
    Effect.gen(function*() {
      return answer({ keys: yield* (yield* KeyRing).published } satisfies JwkSet, keysMaxAge)
    }),
  getAuthorizationServerMetadata: () => Effect.succeed(answer(authorizationServerMetadata(issuer), keysMaxAge))
})
