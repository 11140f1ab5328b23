import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { anyState, judgePrecondition, PreconditionFailed } from "../../src/input/Precondition.ts"

describe("Precondition", () => {
  it("PRE-01 a change requires the state it is based on", () => {
    const based = (version: number) => ({ version: current }: { readonly version: number }) => current === version
    assert.deepStrictEqual(judgePrecondition({ version: 3 }, based(3)), Result.void)
    assert.deepStrictEqual(judgePrecondition({ version: 4 }, based(3)), Result.fail(new PreconditionFailed()))
  })

  it("PRE-01 a change without a precondition applies to any state", () => {
    for (const state of [null, {}, { version: 1 }]) {
      assert.deepStrictEqual(judgePrecondition(state, anyState), Result.void)
    }
  })
})
