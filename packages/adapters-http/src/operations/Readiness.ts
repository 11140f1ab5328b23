import { NodeCondition } from "@lastro/domain/adapters"
import { PrincipalRepository } from "@lastro/domain/identity"
import { Context, Effect, Layer } from "effect"

/** The readiness of this process to serve requests. The program that opens the API can replace it. */
export class Readiness extends Context.Service<Readiness, {
  /** False while a dependency is starting or unreachable, or while the process is stopping. */
  readonly isReady: Effect.Effect<boolean>
}>()("@lastro/adapters-http/operations/Readiness") {}

/**
 * The default readiness. A node whose ports report its condition is ready while it reaches the database, its clock is
 * right, and it supports the schema. Any other node is ready while `PrincipalRepository` answers within 2 s.
 */
export const layerReadiness: Layer.Layer<Readiness, never, PrincipalRepository> = Layer.effect(
  Readiness,
  Effect.gen(function*() {
    const node = yield* NodeCondition
    const { find } = yield* PrincipalRepository
    return Readiness.of({
      isReady: node?.isReady ?? find("client", "").pipe(
        Effect.timeout("2 seconds"),
        Effect.as(true),
        Effect.catchCause(() => Effect.succeed(false))
      )
    })
  })
)
