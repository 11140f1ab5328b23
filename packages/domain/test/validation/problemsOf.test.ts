import { assert, describe, it } from "@effect/vitest"
import { fieldPath } from "../../src/validation/problemsOf.ts"

describe("fieldPath", () => {
  it("formats a path in dot notation", () => {
    assert.strictEqual(fieldPath([]), "")
    assert.strictEqual(fieldPath(["a"]), "a")
    assert.strictEqual(fieldPath(["a", "b"]), "a.b")
    assert.strictEqual(fieldPath(["a", 1]), "a[1]")
    assert.strictEqual(fieldPath(["a", 1, "b", 0, 2]), "a[1].b[0][2]")
    assert.strictEqual(fieldPath([3, "a"]), "[3].a")
  })

  it("truncates a long field name of the sender", () => {
    assert.strictEqual(fieldPath(["a", "x".repeat(64)]), `a.${"x".repeat(64)}`)
    assert.strictEqual(fieldPath(["a", "x".repeat(100_000)]), `a.${"x".repeat(64)}…`)
  })
})
