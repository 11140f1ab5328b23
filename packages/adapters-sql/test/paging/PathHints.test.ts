import { assert, describe, it } from "@effect/vitest"
import { maxHints, maxUses, PathHints } from "../../src/paging/PathHints.ts"

describe("PathHints", () => {
  it("returns the path that was chosen last, for a limited number of uses", () => {
    const hints = new PathHints()
    assert.isUndefined(hints.find("a"))
    hints.choose("a", "merge", 10)
    for (let use = 0; use < maxUses; use++) assert.strictEqual(hints.find("a"), "merge")
    assert.isUndefined(hints.find("a"))
    hints.choose("a", "walk", 10)
    assert.strictEqual(hints.find("a"), "walk")
  })

  it("forgets the path of a scope whose size halves or doubles", () => {
    const hints = new PathHints()
    hints.choose("a", "merge", 10)
    for (const total of [10, 20, 5]) hints.reportSuccess("a", total)
    assert.strictEqual(hints.find("a"), "merge")
    hints.reportSuccess("a", 21)
    assert.isUndefined(hints.find("a"))
    hints.choose("a", "merge", 10)
    hints.reportSuccess("a", 4)
    assert.isUndefined(hints.find("a"))
  })

  it("does not return a path that failed, until another one is chosen", () => {
    const hints = new PathHints()
    hints.choose("a", "walk", 10)
    hints.reportFailure("a")
    hints.choose("a", "walk", 10)
    assert.isUndefined(hints.find("a"))
    hints.choose("a", "merge", 10)
    assert.strictEqual(hints.find("a"), "merge")
  })

  it("remembers a bounded number of scopes, those that were used last", () => {
    const hints = new PathHints()
    for (let scope = 0; scope < maxHints; scope++) hints.choose(String(scope), "merge", 1)
    hints.find("0")
    hints.choose("another", "whole", 1)
    assert.strictEqual(hints.find("0"), "merge")
    assert.isUndefined(hints.find("1"))
    assert.strictEqual(hints.find("another"), "whole")
  })
})
