import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  clockSetBackMs,
  clockSkewMs,
  isClockRight,
  maxClockSkewMs,
  maxClockStepMs
} from "../../src/values/clockSkew.ts"

const start = Date.UTC(2026, 0, 31, 12)

describe("clockSkewMs", () => {
  it("JOB-03 is never larger than the real difference of the clocks, and differs from it by at most the time of the reading", () => {
    fc.assert(fc.property(
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
      fc.nat({ max: 60_000 }),
      fc.nat({ max: 60_000 }),
      (ahead, there, back) => {
        const sent_ms = start + ahead
        const skew = clockSkewMs({ sent_ms, other_ms: start + there, received_ms: sent_ms + there + back })
        assert.isAtMost(Math.abs(skew), Math.abs(ahead))
        assert.isAtMost(Math.abs(skew - ahead), there + back)
        assert.isTrue(skew === 0 || Math.sign(skew) === Math.sign(ahead))
      }
    ))
  })

  it("JOB-03 a slow answer does not make a right clock wrong", () => {
    assert.strictEqual(clockSkewMs({ sent_ms: start, other_ms: start + 100, received_ms: start + 120_000 }), 0)
  })

  it("JOB-03 a clock is wrong from 30 seconds on, ahead or behind", () => {
    assert.isTrue(isClockRight(maxClockSkewMs))
    assert.isTrue(isClockRight(-maxClockSkewMs))
    assert.isFalse(isClockRight(maxClockSkewMs + 1))
    assert.isFalse(isClockRight(-maxClockSkewMs - 1))
  })
})

describe("clockSetBackMs", () => {
  it("JOB-09 is the time by which the clock was set back, if it is more than 5 seconds", () => {
    const cases = [[-600_000, 0], [0, 0], [maxClockStepMs, 0], [maxClockStepMs + 1, 5_001], [600_000, 600_000]] as const
    for (const [stored, expected] of cases) assert.strictEqual(clockSetBackMs(start + stored, start), expected)
  })
})
