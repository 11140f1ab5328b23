import { Deferred, Effect, Layer } from "effect"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { makeStatusWatch, type StatusWatchOptions } from "./layerStatusWatch.ts"

/**
 * Adds a StatusWatch to `ports`, and replaces some ports. Everything built on the result uses the replacements. A
 * replacement can use every original port, for example to do its own work and then call the original. The StatusWatch
 * reads from the replaced ApplicationRepository. Services of `replacements` that are not ports are added.
 */
export const replacePorts = <A, E, R, P, F, S>(
  ports: Layer.Layer<A | ApplicationRepository, E, R>,
  replacements: Layer.Layer<P, F, S>,
  options: StatusWatchOptions = {}
): Layer.Layer<
  A | P | ApplicationRepository | StatusWatch,
  E | F,
  R | Exclude<S, A | ApplicationRepository | StatusWatch>
> =>
  Layer.unwrap(Effect.sync(() => {
    // The StatusWatch is built first, because a replacement can use it. Its reads wait for the repository, which can be
    // replaced.
    const repository = Deferred.makeUnsafe<ApplicationRepository["Service"]>()
    const watch = makeStatusWatch(
      (ids) => Effect.flatMap(Deferred.await(repository), (built) => built.versions(ids)),
      options
    )
    const originals = Layer.merge(ports, Layer.effect(StatusWatch, watch))
    const replaced = Layer.provideMerge(replacements, originals)
    const applications: Layer.Layer<
      ApplicationRepository,
      Layer.Error<typeof replaced>,
      Layer.Services<typeof replaced>
    > = replaced
    const completeWatch = Layer.effectDiscard(
      Effect.flatMap(ApplicationRepository, (built) => Deferred.succeed(repository, built))
    )
    return Layer.merge(Layer.provide(completeWatch, applications), replaced)
  }))
