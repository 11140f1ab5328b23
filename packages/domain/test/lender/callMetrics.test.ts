import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Metric } from "effect"
import { observeCall, startCallMetrics } from "../../src/lender/callMetrics.ts"
import { ExitRefused, LenderUnavailable } from "../../src/lender/LenderFailures.ts"

const unavailable = (reason: LenderUnavailable["reason"]) => Exit.fail(new LenderUnavailable({ reason, detail: "" }))

/** Returns the counters that are not 0, by outcome, and the numbers of measured durations that are not 0. */
const read = Effect.map(Metric.snapshot, (metrics) => ({
  calls: Object.fromEntries(
    metrics.flatMap(({ attributes = {}, state }) =>
      "incremental" in state && Number(state.count) > 0 ? [[attributes["outcome"], Number(state.count)]] : []
    )
  ),
  durations: metrics.flatMap(({ state }) => "buckets" in state && state.count > 0 ? [state.count] : [])
}))

describe("the metrics of calls to the lender", () => {
  it.effect("distinguish the outcomes, and measure only the calls that were made", () =>
    Effect.gen(function*() {
      yield* startCallMetrics("http")
      assert.strictEqual((yield* Metric.snapshot).length, 28)
      const exits: ReadonlyArray<Exit.Exit<string, LenderUnavailable | ExitRefused>> = [
        Exit.succeed("an answer"),
        Exit.fail(new ExitRefused({ detail: "" })),
        unavailable("ASKED"),
        Exit.die(new Error("a defect of the adapter")),
        unavailable("FORBIDDEN"),
        unavailable("THROTTLED"),
        unavailable("WITHHELD"),
        Exit.failCause(Cause.interrupt())
      ]
      for (const exit of exits) {
        assert.deepStrictEqual(yield* Effect.exit(observeCall("http", "poll", exit)), exit)
      }
      assert.deepStrictEqual(yield* read, {
        calls: { answered: 2, failed: 2, forbidden: 1, throttled: 1, withheld: 1 },
        durations: [6]
      })
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
})
