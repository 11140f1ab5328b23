import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { vi } from "vitest"
import { AdmissionMeter } from "../../src/admission/AdmissionMeter.ts"

describe("AdmissionMeter", () => {
  it.effect("three refusals within a second give one log line with their number", () =>
    Effect.gen(function*() {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ fiber, message }) =>
        void lines.push([message, fiber.getRef(References.CurrentLogAnnotations)])
      )
      vi.useFakeTimers({ toFake: ["setTimeout"] })
      yield* Effect.gen(function*() {
        const meter = new AdmissionMeter(yield* Effect.context<never>())
        for (const reason of ["queue_full", "queue_full", "queue_timeout"] as const) meter.refused(reason)
        assert.isEmpty(lines)
        vi.advanceTimersByTime(1_000)
        assert.deepStrictEqual(lines, [[["overloaded; refused requests with 503"], { refused: 3 }]])
        meter.refused("queue_full")
        vi.advanceTimersByTime(1_000)
        assert.deepStrictEqual(lines.slice(1), [[["overloaded; refused requests with 503"], { refused: 1 }]])
      }).pipe(Effect.provide(Logger.layer([logger])), Effect.ensuring(Effect.sync(() => vi.useRealTimers())))
    }))
})
