import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { recordingTime } from "../../src/loan/Application.ts"
import { timestampOf } from "../../src/values/Timestamp.ts"
import {
  accept,
  applyCommands,
  completeKyc,
  decideOn,
  hourMs,
  msAfter,
  offerId,
  quotedApplication,
  submitKyc
} from "./examples.ts"

describe("recordingTime", () => {
  it("FGTS-03 is the clock's time, or that of the last event if the clock is behind", () => {
    const times = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2199, 0) })
    fc.assert(fc.property(times, times, (last, clock) =>
      assert.strictEqual(
        recordingTime({ updated_at: timestampOf(last) }, timestampOf(clock)),
        timestampOf(Math.max(last, clock))
      )))
  })

  it("FGTS-03 T43 an offer that had expired at the last event stays expired when the clock goes back", () => {
    const end = msAfter(24 * hourMs)
    const told = applyCommands(
      quotedApplication(),
      submitKyc({ ...completeKyc, civil_status: "WIDOWED" }, msAfter(1, end))
    )
    for (const by of [-hourMs, -1, 0, 1]) {
      const at = recordingTime(told, msAfter(by, end))
      assert.isTrue(Result.isFailure(decideOn(told, accept(offerId(1, 1), at))))
    }
    const at = recordingTime(quotedApplication(), msAfter(-1, end))
    assert.isTrue(Result.isSuccess(decideOn(quotedApplication(), accept(offerId(1, 1), at))))
  })
})
