import { PrincipalRepository } from "@lastro/domain"
import { Context, Effect, Layer } from "effect"

/** Whether this process can serve requests; the application knows what that takes. */
export class Readiness extends Context.Service<Readiness, {
  /** False while something that is needed is missing: not started yet, unreachable, or about to stop. */
  readonly isReady: Effect.Effect<boolean>
}>()("@lastro/adapters-http/system/Readiness") {}

/** Ready while the callers of requests can be looked up within two seconds, for who needs nothing more than their repositories. */
export const layerReadiness: Layer.Layer<Readiness, never, PrincipalRepository> = Layer.effect(
  Readiness,
  Effect.map(PrincipalRepository, ({ find }) =>
    Readiness.of({
      isReady: find("client", "").pipe(
        Effect.timeout("2 seconds"),
        Effect.as(true),
        Effect.catchCause(() => Effect.succeed(false))
      )
    }))
)
