import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { anyState, judgePrecondition, PreconditionFailed } from "../../src/transaction/Precondition.ts"

describe("Precondition", () => {
  it("PRE-01 a change happens only in the state it was based on", () => {
    const based = (version: number) => ({ version: current }: { readonly version: number }) => current === version
    assert.deepStrictEqual(judgePrecondition({ version: 3 }, based(3)), Result.void)
    assert.deepStrictEqual(judgePrecondition({ version: 4 }, based(3)), Result.fail(new PreconditionFailed()))
  })

  it("PRE-01 a change that names no state happens in any", () => {
    for (const state of [null, {}, { version: 1 }]) {
      assert.deepStrictEqual(judgePrecondition(state, anyState), Result.void)
    }
  })
})
