import { assert, describe, it } from "@effect/vitest"
import { contractSuite, type RegisterCase } from "@lastro/testkit/suites"
import { Context, Effect, Layer } from "effect"
import { collectCases, runCases } from "./runCases.ts"

class Recorder extends Context.Service<Recorder, { readonly record: (event: string) => Effect.Effect<void> }>()(
  "Recorder"
) {}

/** Runs a suite of these cases. Returns the recorded events and the names of the failed cases. */
const runSuite = (cases: (it: RegisterCase<Recorder>) => void) =>
  Effect.gen(function*() {
    const events: Array<string> = []
    const record = (event: string) => Effect.sync(() => void events.push(event))
    const layer = Layer.effect(
      Recorder,
      Effect.acquireRelease(
        Effect.as(record("built"), Recorder.of({ record })),
        () => record("closed")
      )
    )
    const suite = contractSuite<Recorder>([{ port: "Recorder", cases: [cases] }])
    const failures = yield* runCases(collectCases((runner) => suite("recorder", layer, runner)))
    return { events, failed: failures.map(({ name }) => name) }
  })

const record = (event: string) => Effect.flatMap(Recorder, (recorder) => recorder.record(event))

describe("contractSuite", () => {
  it.live("builds the layer before the first case, closes it after the last, and gives each case its own scope", () =>
    Effect.gen(function*() {
      const result = yield* runSuite((it) => {
        for (const name of ["one", "other"]) {
          it(
            name,
            () => Effect.andThen(record(name), Effect.addFinalizer(() => Effect.orDie(record(`end of ${name}`))))
          )
        }
      })
      assert.deepStrictEqual(result, {
        events: ["built", "one", "end of one", "other", "end of other", "closed"],
        failed: []
      })
    }))

  it.live("fails a case on an error, a defect or a thrown assertion, and continues with the next case", () =>
    Effect.gen(function*() {
      const { failed } = yield* runSuite((it) => {
        it("fails", () => Effect.fail("no"))
        it("dies", () => Effect.die("no"))
        it("throws", () => Effect.sync(() => assert.isTrue(false)))
        it("throws before it runs", () => assert.fail("no"))
        it("passes", () => Effect.void)
      })
      assert.deepStrictEqual(failed, ["fails", "dies", "throws", "throws before it runs"])
    }))

  it.live("interrupts a case that times out, and waits for its end before the next case", () =>
    Effect.gen(function*() {
      const result = yield* runSuite((it) => {
        it("waits", () =>
          Effect.onInterrupt(Effect.never, () => Effect.delay(Effect.orDie(record("ended")), "20 millis")), 50)
        it("next", () =>
          record("next"))
      })
      assert.deepStrictEqual(result, { events: ["built", "ended", "next", "closed"], failed: ["waits"] })
    }))
})
