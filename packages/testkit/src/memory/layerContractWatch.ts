import { lookAtContracts, millisOf } from "@lastro/domain"
import { Clock, Duration, Effect, Latch, Layer } from "effect"
import { type WorkPorts } from "./DurableWork.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"

/** Looks at contracts in memory whenever one is due, and asks for nothing in between. */
export const layerContractWatch: Layer.Layer<never, never, MemoryDatabase | WorkPorts> = Layer.effectDiscard(
  Effect.gen(function*() {
    const { opensOnCommit, state } = yield* MemoryDatabase
    const committed = Latch.makeUnsafe()
    yield* opensOnCommit(committed)

    const untilDue = Effect.gen(function*() {
      const looks = Array.from((yield* state).looks.values(), millisOf)
      const pause = Math.min(...looks) - (yield* Clock.currentTimeMillis)
      yield* Effect.raceFirst(committed.await, Effect.sleep(Duration.millis(Math.max(pause, 0))))
    })
    const look = committed.close.pipe(
      Effect.andThen(lookAtContracts()),
      Effect.orDie,
      Effect.tapCause((cause) => Effect.logError("looking at contracts in memory came to nothing", cause)),
      Effect.andThen(untilDue)
    )
    yield* Effect.forkScoped(Effect.forever(look))
  })
)
