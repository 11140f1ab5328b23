import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { onceByKey } from "../../src/mount/documentation.ts"

describe("onceByKey", () => {
  it.effect("makes a value once for all requests, and repeats an attempt that failed", () =>
    Effect.gen(function*() {
      let attempts = 0
      const valueOf = onceByKey(async (key: string) => {
        attempts += 1
        if (attempts === 1) throw new Error("too many open files")
        return `made for ${key}`
      })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(valueOf("en"))))
      const both = yield* Effect.all([valueOf("en"), valueOf("en")], { concurrency: "unbounded" })
      assert.deepStrictEqual([...both, yield* valueOf("en")], Array.from({ length: 3 }, () => "made for en"))
      assert.strictEqual(attempts, 2)
    }))
})
