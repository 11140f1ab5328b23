import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  failureDelayMs,
  isAttempt,
  isLastAttempt,
  isOwnFailure,
  maxAttempts,
  quoteDeadlineMs,
  quoteRetryDelayMs,
  retryDelayMs
} from "../../src/jobs/retry.ts"
import { LenderUnavailable } from "../../src/lender/LenderFailures.ts"
import { msAfter, noon, quoteId } from "../loan/examples.ts"

const ids = fc.uuid({ version: 7 })
const attempts = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 10_000 }))

const failure = (reason: LenderUnavailable["reason"]) => new LenderUnavailable({ reason, detail: "" })

describe("retry delays", () => {
  it("LENDER-01 the delay doubles from 400 ms to a minute, minus a jitter of up to half", () => {
    fc.assert(
      fc.property(ids, attempts, (id, attempt) => {
        const whole = Math.min(400 * 2 ** (attempt - 1), 60_000)
        const pause = retryDelayMs(id, attempt)
        assert.isAtMost(pause, whole)
        assert.isAbove(pause, whole / 2)
      }),
      { numRuns: 2_000 }
    )
    assert.strictEqual(retryDelayMs(quoteId(0), 1), 400)
    assert.strictEqual(retryDelayMs(quoteId(0), 8), 51_200)
    assert.strictEqual(retryDelayMs(quoteId(0), 9), 60_000)
    assert.strictEqual(retryDelayMs(quoteId(0), 1e9), 60_000)
  })

  it("LENDER-01 jitter spreads simultaneous failures and is deterministic for each job", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(ids, { minLength: 50, maxLength: 50 }),
        fc.integer({ min: 1, max: 8 }),
        (works, attempt) => {
          const pauses = works.map((id) => retryDelayMs(id, attempt))
          const spread = Math.max(...pauses) - Math.min(...pauses)
          assert.isAbove(spread, 400 * 2 ** (attempt - 1) / 4)
          assert.deepStrictEqual(works.map((id) => retryDelayMs(id, attempt)), pauses)
        }
      ),
      { numRuns: 100 }
    )
  })

  it("LENDER-01 LENDER-02 a quote's delay is the same, but never passes its deadline", () => {
    fc.assert(fc.property(ids, attempts, fc.integer({ min: -60_000, max: 700_000 }), (id, pauses, passed) => {
      const pause = quoteRetryDelayMs({ created_at: noon, quote_id: id as never }, pauses, msAfter(passed))
      assert.strictEqual(pause, Math.max(0, Math.min(retryDelayMs(id, pauses), quoteDeadlineMs - passed)))
    }))
  })

  it("a delay before the next attempt of a quote that the lender states is kept, up to 15 minutes and the deadline", () => {
    const deadline_ms = 24 * 3_600_000
    fc.assert(fc.property(ids, attempts, fc.integer({ min: 0, max: 5e6 }), (id, pauses, retry_after_ms) => {
      const quote = { created_at: noon, quote_id: id as never }
      const kept = Math.max(retryDelayMs(id, pauses), Math.min(retry_after_ms, 900_000))
      assert.strictEqual(quoteRetryDelayMs(quote, pauses, noon, { deadline_ms, retry_after_ms }), kept)
      assert.strictEqual(quoteRetryDelayMs(quote, pauses, noon, { retry_after_ms }), Math.min(kept, quoteDeadlineMs))
    }))
  })

  it("LENDER-02 a quote fails after three attempts or ten minutes; a withheld attempt does not count", () => {
    assert.strictEqual(maxAttempts, 3)
    assert.strictEqual(quoteDeadlineMs, 600_000)
    for (
      const [reason, attempt, passed, last] of [
        ["ASKED", 1, 0, false],
        ["ASKED", 2, 599_999, false],
        ["ASKED", 3, 0, true],
        ["ASKED", 4, 0, true],
        ["ASKED", 1, 600_000, true],
        ["WITHHELD", 1, 0, false],
        ["WITHHELD", 3, 599_999, false],
        ["WITHHELD", 1_000, 599_999, false],
        ["WITHHELD", 1, 600_000, true],
        ["WITHHELD", 3, -1, false]
      ] as const
    ) {
      const quoteAttempt = { attempt, created_at: noon, failure: failure(reason) }
      assert.strictEqual(isLastAttempt(quoteAttempt, msAfter(passed)), last, `${reason} ${attempt} ${passed}`)
    }
  })
})

describe("withheld calls", () => {
  it("LENDER-25 they age only the jobs that caused them", () => {
    const withheld = (is_cause?: boolean) =>
      new LenderUnavailable({ reason: "WITHHELD", detail: "", ...(is_cause === undefined ? {} : { is_cause }) })
    const judged = (one: LenderUnavailable) => [isAttempt(one), isOwnFailure(one)]
    assert.deepStrictEqual(judged(withheld(true)), [true, true])
    assert.deepStrictEqual(judged(withheld(false)), [false, false])
    assert.deepStrictEqual(judged(withheld()), [false, true])
    assert.isTrue(isLastAttempt({ attempt: maxAttempts, created_at: noon, failure: withheld(true) }, noon))
    assert.isFalse(isLastAttempt({ attempt: maxAttempts, created_at: noon, failure: withheld(false) }, noon))
  })
})

describe("failure delays", () => {
  it("JOB-01 the delay doubles with each failure in a row from 400 ms to 10 seconds, minus a jitter of up to half", () => {
    fc.assert(
      fc.property(ids, attempts, (id, failures) => {
        const whole = Math.min(400 * 2 ** (failures - 1), 10_000)
        const pause = failureDelayMs(id, failures)
        assert.isAtMost(pause, whole)
        assert.isAbove(pause, whole / 2)
      }),
      { numRuns: 2_000 }
    )
    const withoutJitter = [1, 2, 3, 4, 5, 6, 7, 100, 1e9].map((failures) => failureDelayMs(quoteId(0), failures))
    assert.deepStrictEqual(withoutJitter, [400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 10_000])
  })

  it("JOB-01 jitter spreads jobs that failed together, also after many failures", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(ids, { minLength: 50, maxLength: 50 }),
        fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 6, max: 1_000 })),
        (works, failures) => {
          const whole = Math.min(400 * 2 ** (failures - 1), 10_000)
          const pauses = works.map((id) => failureDelayMs(id, failures))
          assert.isAbove(Math.max(...pauses) - Math.min(...pauses), whole / 4)
          assert.deepStrictEqual(works.map((id) => failureDelayMs(id, failures)), pauses)
        }
      ),
      { numRuns: 100 }
    )
  })
})
