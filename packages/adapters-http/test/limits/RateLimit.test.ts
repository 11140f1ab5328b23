import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { defaultRateLimit, parseRateLimit } from "../../src/limits/RateLimit.ts"

describe("parseRateLimit", () => {
  it("the default for callers and addresses is 50:100", () => {
    assert.deepStrictEqual(parseRateLimit("50:100"), Option.some(defaultRateLimit))
  })

  it("reads RATE:BURST and off", () => {
    assert.deepStrictEqual(parseRateLimit("50:100"), Option.some({ rate: 50, burst: 100 }))
    assert.deepStrictEqual(parseRateLimit("1:999999"), Option.some({ rate: 1, burst: 999_999 }))
    assert.deepStrictEqual(parseRateLimit("off"), Option.some("off"))
  })

  it("rejects any other text", () => {
    for (
      const text of [
        "",
        "50",
        "50:",
        ":100",
        "0:100",
        "50:0",
        "-1:5",
        "1.5:5",
        "50:100:1",
        "1e3:5",
        " 50:100",
        "OFF",
        "1000000:1"
      ]
    ) {
      assert.isTrue(Option.isNone(parseRateLimit(text)), text)
    }
  })
})
