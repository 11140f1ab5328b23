import { layerMemoryByHand } from "@lastro/testkit"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Application } from "../../../src/fgts/application/Application.ts"
import { ApplicationRepository } from "../../../src/fgts/origination/ApplicationRepository.ts"
import { millisOf, type Timestamp } from "../../../src/time/Timestamp.ts"
import { start } from "../../world.ts"

/** Runs a test over all in-memory ports without background jobs, with the test clock at `begins`. */
export const byHand = <A, E, R>(test: Effect.Effect<A, E, R>, begins: Timestamp = start) =>
  Effect.provide(Effect.andThen(TestClock.setTime(millisOf(begins)), test), layerMemoryByHand, { local: true })

/** Loads the current state of an application. */
export const present = (application: Application) =>
  Effect.gen(function*() {
    return Option.getOrThrow(yield* (yield* ApplicationRepository).ofQuote(application.quotes[0].quote_id))
  })
