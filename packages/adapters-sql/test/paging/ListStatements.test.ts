import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ListStatements, maxShapes } from "../../src/paging/ListStatements.ts"

describe("ListStatements", () => {
  it("keeps the statement of a shape from its second use on", () => {
    const statements = new ListStatements<object>()
    assert.isUndefined(statements.find("a", () => assert.fail("Built for a single use")))
    const built = statements.find("a", () => ({}))
    assert.isDefined(built)
    assert.strictEqual(statements.find("a", () => assert.fail("Built twice")), built)
  })

  it("keeps a bounded number of statements, those that were used last", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 300 }), (shapes) => {
        const statements = new ListStatements<number>()
        const used: Array<number> = []
        for (const shape of shapes) {
          let isBuilt = false
          const found = statements.find(String(shape), () => {
            isBuilt = true
            return shape
          })
          assert.isTrue(found === undefined || found === shape)
          if (found === undefined) continue
          // A statement that was used among the last 20 different ones was kept.
          const recent = [...new Set(used.toReversed())].slice(0, maxShapes)
          if (recent.includes(shape)) assert.isFalse(isBuilt)
          used.push(shape)
        }
      })
    )
  })
})
