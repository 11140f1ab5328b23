import { type CallOptions, LastroClosed, openLastro, type UseCasePorts } from "@lastro/domain/promises"
import { Effect, Result } from "effect"
import { Faults } from "../faults/Faults.ts"
import { undisturbed } from "../faults/Undisturbed.ts"
import { type Builder } from "../given/Builder.ts"
import { MemoryDatabase } from "../memory/MemoryDatabase.ts"
import { Acquaintances } from "./Acquaintances.ts"
import { callerFor, tokenFor } from "./callers.ts"
import { finishWork } from "./finishWork.ts"
import { layerWorld, type WorldParts, type WorldServices } from "./layerWorld.ts"
import { storeAny } from "./storeAny.ts"
import { type TestWorld } from "./TestLastro.ts"
import { millisOfInstant, WorldClock } from "./WorldClock.ts"
import { type WorldOptions } from "./WorldOptions.ts"

const atOnce = (): Promise<void> => Promise.resolve()

/**
 * How long calls of the facade have to come back once nothing in the world keeps them. What a test keeps them with, a latch of its
 * own, would keep them for ever.
 */
export const patience = "250 millis"

/**
 * Opens a world, and tells what runs effects over it and what else has to be closed with it; `ensureOpen`
 * throws once it is closed or about to be.
 */
export const openWorld = async <L, T>(parts: WorldParts<L, T>, options: WorldOptions) => {
  type More = L | T | WorldServices
  const lastro = await openLastro<More>(layerWorld(parts, options), { patience })
  const ending = new AbortController()
  const { signal } = ending
  const run = async <A, E>(effect: Effect.Effect<A, E, More | UseCasePorts>, options?: CallOptions): Promise<A> =>
    Result.getOrThrowWith(await lastro.run(effect, options), (refusal) => refusal)
  const clock = await run(WorldClock)
  const { around: _, wraps: __, ...faults } = await run(Faults)
  const database = await run(MemoryDatabase)
  let closeRest = atOnce
  const closesWith = (one: () => Promise<void>): void => {
    const before = closeRest
    closeRest = () => one().finally(before)
  }
  const closed = async () => {
    ending.abort(new LastroClosed())
    await Effect.runPromise(clock.end)
    await closeRest().finally(() => lastro.close())
  }
  const among = new Acquaintances()
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
    given: <A>(builder: Builder<A>) => run(undisturbed(storeAny(builder, among))) as Promise<A>,
    callerFor: (somebody) => run(undisturbed(callerFor(somebody, among))),
    tokenFor: (somebody) => run(undisturbed(tokenFor(somebody, among))),
    finishWork: () => run(finishWork, { signal }),
    close,
    [Symbol.asyncDispose]: close
  }
  return { world, run, layer: lastro.layer, closesWith, ensureOpen: () => signal.throwIfAborted() }
}
