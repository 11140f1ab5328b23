import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { alarmsAt } from "../../src/adapters/NodeCondition.ts"

const day = 24 * 60 * 60_000

describe("alarmsAt", () => {
  it("NODE-01 an alarm lasts for a day after it was last raised, to the millisecond", () => {
    fc.assert(fc.property(fc.nat(), fc.nat({ max: 2 * day }), (raised, later) => {
      const alarms = alarmsAt(new Map([["UNTRUSTED_PROXY", raised]]), raised + later)
      assert.deepStrictEqual(alarms, later < day ? ["UNTRUSTED_PROXY"] : [])
    }))
    const raised = new Map([["UNTRUSTED_PROXY", 0]] as const)
    assert.deepStrictEqual([alarmsAt(raised, day - 1), alarmsAt(raised, day)], [["UNTRUSTED_PROXY"], []])
    assert.deepStrictEqual(alarmsAt(new Map(), 0), [])
  })
})
