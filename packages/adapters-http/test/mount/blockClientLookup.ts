import { PrincipalRepository } from "@lastro/domain/identity"
import { Deferred, Effect, Layer } from "effect"

/** Makes client lookups never complete. `begun` resolves at the first lookup. */
export const blockClientLookup = () => {
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
