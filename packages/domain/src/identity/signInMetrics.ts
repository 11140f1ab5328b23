import { Effect, Exit, Metric } from "effect"
import { type TokenGrant } from "./readTokenRequest.ts"

const grants = ["password", "client_credentials", "refresh_token"] as const satisfies ReadonlyArray<TokenGrant["type"]>

/**
 * The outcomes that every grant type can have. Their metrics exist from the start. The metric of any other outcome
 * exists from its first occurrence.
 */
const usualOutcomes = ["granted", "invalid_client", "invalid_grant", "too_many_attempts"] as const

const signIns = Metric.counter("lastro_sign_ins_total", {
  description:
    "Token requests by grant type and outcome: granted, an OAuth 2.0 error code, too_many_attempts, or unavailable",
  incremental: true
})

const signInsOf = (grant: TokenGrant["type"] | "unknown", outcome: string) =>
  Metric.withAttributes(signIns, { grant, outcome })

/** Returns the outcome of a failed token request: one of a few constants, never a text of the request. */
const outcomeOf = ({ _tag, error = "unavailable" }: { readonly _tag: string; readonly error?: string }): string => {
  if (_tag === "TooManyAttempts") return "too_many_attempts"
  return _tag === "TokenRefused" ? error : "unavailable"
}

/** Counts a token request by its outcome. A request that ends with a defect or is interrupted is not counted. */
export const countSignIn = <A, E extends { readonly _tag: string; readonly error?: string }, R>(
  grant: TokenGrant["type"] | "unknown",
  request: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.onExit(request, (exit) => {
    if (Exit.isSuccess(exit)) return Metric.update(signInsOf(grant, "granted"), 1)
    const [failure] = exit.cause.reasons.flatMap((reason) => reason._tag === "Fail" ? [reason.error] : [])
    return failure === undefined ? Effect.void : Metric.update(signInsOf(grant, outcomeOf(failure)), 1)
  })

/** Creates the usual metrics with the value 0, so that Prometheus sees the first refused sign-in as an increase. */
export const startSignInMetrics: Effect.Effect<void> = Effect.forEach(
  grants,
  (grant) => Effect.forEach(usualOutcomes, (outcome) => Metric.value(signInsOf(grant, outcome)), { discard: true }),
  { discard: true }
)
