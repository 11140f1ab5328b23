import { layerMemoryByHand } from "@lastro/testkit"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { ApplicationRepository } from "../../../src/fgts/origination/ApplicationRepository.ts"
import { millisOf, type Timestamp } from "../../../src/time/Timestamp.ts"
import { start } from "../../world.ts"

/** Runs a test over every port in memory, where nothing happens by itself, from a time on. */
export const byHand = <A, E, R>(test: Effect.Effect<A, E, R>, begins: Timestamp = start) =>
  Effect.provide(Effect.andThen(TestClock.setTime(millisOf(begins)), test), layerMemoryByHand, { local: true })

/** An application as it is now. */
export const present = (application: Application) =>
  Effect.gen(function*() {
    return Option.getOrThrow(yield* (yield* ApplicationRepository).ofQuote(application.quotes[0].quote_id))
  })
