import { assert, describe, it } from "@effect/vitest"
import { Option, Result } from "effect"
import { judgeCycle, judgeReference } from "../../src/hierarchy/judgeParent.ts"
import { found } from "../../src/hierarchy/Scope.ts"
import { otherPartner } from "./callers.ts"

describe("judgeReference", () => {
  it("HIER-03 a referenced partner must exist inside the scope; otherwise its field is invalid", () => {
    assert.deepStrictEqual(judgeReference("a.b", Option.none()), Result.fail({ field: "a.b", code: "NOT_FOUND" }))
    assert.deepStrictEqual(
      judgeReference("a.b", Option.some(found(otherPartner, false))),
      Result.fail({ field: "a.b", code: "OUTSIDE_HIERARCHY" })
    )
    const inside = judgeReference("a.b", Option.some(found(otherPartner, true)))
    assert.deepStrictEqual(Result.map(inside, ({ record }) => record), Result.succeed(otherPartner))
  })
})

describe("judgeCycle", () => {
  it("HIER-04 a parent within the partner's own subtree is a CYCLE", () => {
    assert.deepStrictEqual(judgeCycle("a.b", true), Result.fail({ field: "a.b", code: "CYCLE" }))
    assert.deepStrictEqual(judgeCycle("a.b", false), Result.void)
  })
})
