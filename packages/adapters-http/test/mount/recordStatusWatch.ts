import { StatusWatch } from "@lastro/domain/origination"
import { Deferred, Effect, Exit, Layer } from "effect"

/** Records how long polls begin and end, and when the layer closes. */
export const recordStatusWatch = () => {
  const notes: Array<string> = []
  const begun = Deferred.makeUnsafe<void>()
  const ended = Deferred.makeUnsafe<void>()
  const noted = (what: string) =>
    Effect.sync(() => {
      notes.push(what)
    })
  const layer = Layer.effect(
    StatusWatch,
    Effect.gen(function*() {
      yield* Effect.addFinalizer(() => noted("the layer is closed"))
      const watch = yield* StatusWatch
      return StatusWatch.of({
        ...watch,
        wait: (waiter) =>
          Deferred.succeed(begun, undefined).pipe(
            Effect.andThen(watch.wait(waiter)),
            Effect.onExit((exit) => noted(`the wait is ${Exit.isSuccess(exit) ? exit.value : "interrupted"}`)),
            Effect.ensuring(Deferred.succeed(ended, undefined))
          )
      })
    })
  )
  const reached = (point: Deferred.Deferred<void>) => Effect.runPromise(Deferred.await(point))
  return { layer, notes, begun: reached(begun), ended: reached(ended) }
}
