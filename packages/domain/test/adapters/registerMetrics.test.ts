import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Metric, Scope } from "effect"
import { type MetricOnRead, registerMetrics } from "../../src/adapters/registerMetrics.ts"

const read = Effect.map(Metric.snapshot, (metrics) => metrics.map(({ id, state }) => [id, state]))

describe("a metric that is read with the others", () => {
  it.effect("joins the values of the parts of a process, and ends with the last part", () =>
    Effect.gen(function*() {
      const values = { one: 2, other: 3 }
      const waiting = (part: keyof typeof values): MetricOnRead => ({
        name: "waiting",
        description: "Waiting requests",
        labels: { pool: "a" },
        read: () => values[part]
      })
      const oldest = (part: keyof typeof values): MetricOnRead => ({
        name: "oldest_seconds",
        description: "Age of the oldest",
        read: () => values[part],
        join: Math.max
      })
      const done = (part: keyof typeof values): MetricOnRead => ({
        name: "done_total",
        description: "Done",
        type: "counter",
        read: () => values[part]
      })
      const [one, other] = [Scope.makeUnsafe(), Scope.makeUnsafe()]
      const register = (part: keyof typeof values) => registerMetrics([waiting(part), oldest(part), done(part)])
      yield* Scope.provide(register("one"), one)
      yield* Scope.provide(register("other"), other)
      values.one = 4
      assert.deepStrictEqual<unknown>(yield* read, [
        ["waiting", { value: 7 }],
        ["oldest_seconds", { value: 4 }],
        ["done_total", { count: 7, incremental: true }]
      ])
      yield* Scope.close(one, Exit.void)
      assert.deepStrictEqual<unknown>((yield* read)[0], ["waiting", { value: 3 }])
      yield* Scope.close(other, Exit.void)
      assert.deepStrictEqual(yield* read, [])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
})
