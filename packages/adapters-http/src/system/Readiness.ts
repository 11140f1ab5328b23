import { NodeCondition } from "@lastro/domain/adapters"
import { PrincipalRepository } from "@lastro/domain/identity"
import { Context, Effect, Layer } from "effect"

/** Returns whether this process can serve requests. The program that opens the API can define the condition. */
export class Readiness extends Context.Service<Readiness, {
  /** False while a dependency is starting or unreachable, or while the process is stopping. */
  readonly isReady: Effect.Effect<boolean>
}>()("@lastro/adapters-http/system/Readiness") {}

/**
 * Reports ready while this node can work, if the ports report its condition: it reaches the database, its clock is
 * right, and it supports the schema. Otherwise, reports ready while `PrincipalRepository` answers within two seconds.
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
