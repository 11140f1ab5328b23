import { PrincipalRepository } from "@lastro/domain"
import { Deferred, Effect, Layer } from "effect"

/** Looks API clients up without an end; `begun` once one is looked up. */
export const stuck = () => {
  const begun = Deferred.makeUnsafe<void>()
  const layer = Layer.effect(
    PrincipalRepository,
    Effect.map(PrincipalRepository, (principals) =>
      PrincipalRepository.of({
        ...principals,
        findByClientId: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      }))
  )
  return { layer, begun: Effect.runPromise(Deferred.await(begun)) }
}
