import { openLastro, type UseCasePorts } from "@lastro/domain/promises"
import { Effect, Result } from "effect"
import { Faults } from "../faults/Faults.ts"
import { undisturbed } from "../faults/Undisturbed.ts"
import { type Builder } from "../given/Builder.ts"
import { MemoryDatabase } from "../memory/MemoryDatabase.ts"
import { callerFor, tokenFor } from "./callers.ts"
import { finishWork } from "./finishWork.ts"
import { layerWorld, type WorldParts, type WorldServices } from "./layerWorld.ts"
import { storeAny } from "./storeAny.ts"
import { type TestWorld } from "./TestLastro.ts"
import { millisOfInstant, WorldClock } from "./WorldClock.ts"
import { type WorldOptions } from "./WorldOptions.ts"

const atOnce = (): Promise<void> => Promise.resolve()

/** Opens a world, and tells what runs effects over it and what else has to be closed with it. */
export const openWorld = async <L, T>(parts: WorldParts<L, T>, options: WorldOptions) => {
  type More = L | T | WorldServices
  const lastro = await openLastro<More>(layerWorld(parts, options))
  const run = async <A, E>(effect: Effect.Effect<A, E, More | UseCasePorts>): Promise<A> =>
    Result.getOrThrowWith(await lastro.run(effect), (refusal) => refusal)
  const clock = await run(WorldClock)
  const { around: _, ...faults } = await run(Faults)
  const database = await run(MemoryDatabase)
  let closeRest = atOnce
  const closesWith = (one: () => Promise<void>): void => {
    const before = closeRest
    closeRest = () => one().then(before)
  }
  const closed = async () => {
    await run(clock.end)
    await closeRest()
    await lastro.close()
  }
  let closing: Promise<void> | undefined
  const close = () => closing ??= closed()
  const world: TestWorld = {
    lastro,
    clock: {
      now: clock.now,
      set: (instant) => run(clock.set(millisOfInstant(instant))),
      advance: (by) => run(clock.advance(by))
    },
    faults,
    state: () => Effect.runSync(database.state),
    given: <A>(builder: Builder<A>) => run(undisturbed(storeAny(builder))) as Promise<A>,
    callerFor: (somebody) => run(undisturbed(callerFor(somebody))),
    tokenFor: (somebody) => run(undisturbed(tokenFor(somebody))),
    finishWork: () => run(finishWork),
    close,
    [Symbol.asyncDispose]: close
  }
  return { world, run, layer: lastro.layer, closesWith }
}
