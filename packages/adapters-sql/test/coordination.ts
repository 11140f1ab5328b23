import { Deferred, Effect } from "effect"

/** Lets nobody go on before all of `parties` have come. */
export const barrier = (parties: number) =>
  Effect.map(Deferred.make<void>(), (all) => {
    let come = 0
    return Effect.suspend(() => ++come === parties ? Deferred.succeed(all, undefined) : Deferred.await(all))
  })
