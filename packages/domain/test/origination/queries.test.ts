import { assert, describe, it } from "@effect/vitest"
import { integerText } from "@lastro/testkit/arbitraries"
import { Option, Result } from "effect"
import * as fc from "fast-check"
import { fgtsApplicationStatus } from "../../src/origination/FgtsApplicationStatus.ts"
import { isHeld } from "../../src/origination/GetApplicationStatus.ts"
import { parseExternalId } from "../../src/origination/SearchApplications.ts"
import { maxWaitSeconds, parseWait } from "../../src/ports/StatusWatch.ts"
import { expectProblems } from "../input/problems.ts"
import {
  applyCommands,
  hourMs,
  msAfter,
  newApplication,
  noon,
  priceQuote,
  quotedApplication,
  rejectQuote
} from "../loan/examples.ts"

describe("queries of applications", () => {
  it("FGTS-25 external_id is required and matched exactly", () => {
    expectProblems(parseExternalId({}), ["query.external_id REQUIRED"])
    expectProblems(parseExternalId({ external_id: "" }), ["query.external_id REQUIRED"])
    expectProblems(parseExternalId({ external_id: "  " }), ["query.external_id TOO_SHORT"])
    expectProblems(parseExternalId({ external_id: "x".repeat(65) }), ["query.external_id TOO_LONG"])
    expectProblems(parseExternalId({ external_id: "a\u0000" }), ["query.external_id INVALID_FORMAT"])
    for (const id of ["x", "%", "_", "a b", "x".repeat(64)]) {
      assert.deepStrictEqual(parseExternalId({ external_id: id }), Result.succeed(id))
    }
    assert.deepStrictEqual(parseExternalId({ external_id: [" a ", "b"] }), Result.succeed("a"))
  })

  it("WAIT-02 a wait is limited to 0–30 seconds", () => {
    assert.strictEqual(maxWaitSeconds, 30)
    for (
      const [wait, seconds] of [[undefined, 0], ["", 0], ["0", 0], ["1", 1], ["30", 30], ["31", 30], ["-1", 0]] as const
    ) assert.deepStrictEqual(parseWait({ wait }), Result.succeed(seconds), wait)
    assert.deepStrictEqual(parseWait({ wait: ["2", "x"] }), Result.succeed(2))
    for (const wait of ["x", "1.5", "1e1", " 1", "1s", "∞", "NaN"]) {
      expectProblems(parseWait({ wait }), ["query.wait INVALID_TYPE"])
    }
    fc.assert(fc.property(integerText, (wait) => {
      const seconds = Result.getOrThrow(parseWait({ wait }))
      const exact = BigInt(wait)
      assert.strictEqual(BigInt(seconds), exact < 0n ? 0n : exact > 30n ? 30n : exact)
    }))
  })

  it("WAIT-03 holds what the caller already has; without it, only while the next action is WAIT", () => {
    const over = applyCommands(newApplication(), rejectQuote(1, "NO_BALANCE"))
    const waiting = fgtsApplicationStatus(newApplication(), noon)
    const changed = fgtsApplicationStatus(applyCommands(newApplication(), priceQuote(1)), noon)
    const ended = fgtsApplicationStatus(over, noon)
    for (
      const [present, arrival, known, held] of [
        [waiting, waiting, Option.none(), true],
        [changed, waiting, Option.none(), false],
        [changed, changed, Option.none(), false],
        [waiting, waiting, Option.some(true), true],
        [waiting, waiting, Option.some(false), false],
        [changed, waiting, Option.some(true), true],
        [changed, waiting, Option.some(false), false],
        [ended, ended, Option.none(), false],
        [ended, ended, Option.some(true), true]
      ] as const
    ) assert.strictEqual(isHeld(present, arrival, known), held)
  })

  it("WAIT-03 an expiry ends a wait", () => {
    const [arrival, expired] = [noon, msAfter(24 * hourMs)].map((at) => fgtsApplicationStatus(quotedApplication(), at))
    assert.isTrue(arrival !== undefined && expired !== undefined && !isHeld(expired, arrival, Option.none()))
  })
})
