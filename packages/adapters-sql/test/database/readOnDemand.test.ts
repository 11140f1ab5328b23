import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readOnDemand } from "../../src/database/readOnDemand.ts"

describe("readOnDemand", () => {
  it.effect("reads again after a read that failed, with and without a wait, and keeps the last value meanwhile", () =>
    Effect.gen(function*() {
      const failures = [Effect.fail("refused"), Effect.andThen(Effect.yieldNow, Effect.fail("refused"))]
      const answers = [...failures, Effect.succeed(1), ...failures, Effect.succeed(2)]
      let reads = 0
      const { refresh, value } = yield* readOnDemand(Effect.suspend(() => answers[reads++] ?? Effect.succeed(3)), 0)
      const seen: Array<number | undefined> = []
      for (let round = 0; round < 10; round++) {
        yield* refresh
        seen.push(value())
      }
      assert.deepStrictEqual([seen[0], seen.at(-1)], [undefined, 3])
      assert.notInclude(seen.slice(seen.indexOf(1)), undefined)
    }))
})
