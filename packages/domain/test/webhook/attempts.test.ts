import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  deliveryRetryDelayMs,
  deliverySlots,
  endedKeptMs,
  failureOf,
  holdMs,
  isExpired,
  isLagging,
  judgeAttempt,
  maxAttempts,
  maxWaitingDeliveries,
  stopOf
} from "../../src/webhook/attempts.ts"
import { type WebhookAnswer } from "../../src/webhook/WebhookSender.ts"

const answer = (status: number, retry_after_ms: number | null = null, duration_ms = 5): WebhookAnswer => ({
  kind: "ANSWERED",
  status,
  retry_after_ms,
  duration_ms
})

const silent: WebhookAnswer = { kind: "FAILED", reason: "TIMEOUT", duration_ms: 10_000 }

const statuses = fc.integer({ min: 100, max: 599 })

const hours = (count: number) => count * 3_600_000

describe("an attempt to deliver an event", () => {
  it("WEBHOOK-01 a failed delivery is retried by the schedule, for 7 days after the sixth retry", () => {
    const delays = Array.from({ length: maxAttempts - 1 }, (_, index) => deliveryRetryDelayMs(index + 1))
    assert.deepStrictEqual(delays.slice(0, 6), [5_000, 60_000, 300_000, 1_800_000, hours(2), hours(6)])
    const last = delays.slice(6)
    assert.isTrue(last.every((delay) => delay === hours(12)))
    assert.strictEqual(last.reduce((sum, delay) => sum + delay, 0), hours(7 * 24))
  })

  it("WEBHOOK-02 Retry-After holds the endpoint, for at most 12 hours, and only after a failure", () => {
    assert.isNull(holdMs(answer(503)))
    assert.isNull(holdMs(answer(200, 60_000)))
    assert.isNull(holdMs(silent))
    assert.strictEqual(holdMs(answer(429, 60_000)), 60_000)
    assert.strictEqual(holdMs(answer(503, hours(1_000))), hours(12))
    assert.strictEqual(holdMs(answer(503, -5)), 0)
  })

  it("WEBHOOK-03 2xx succeeds, 410 disables, anything else is retried until the last attempt, which pauses", () => {
    fc.assert(
      fc.property(
        statuses,
        fc.option(fc.nat({ max: 100_000_000 })),
        fc.nat({ max: maxAttempts - 1 }),
        (status, retry, attempts) => {
          const given = answer(status, retry)
          const verdict = judgeAttempt({ attempts, is_test: false }, given)
          if (status >= 200 && status < 300) {
            assert.deepStrictEqual(verdict, { kind: "DELIVERED" })
            assert.isNull(failureOf(given))
            return
          }
          assert.strictEqual(failureOf(given), `HTTP ${status}`)
          if (status === 410) assert.deepStrictEqual(verdict, { kind: "GONE" })
          else if (attempts + 1 === maxAttempts) assert.deepStrictEqual(verdict, { kind: "EXHAUSTED" })
          else {
            assert.deepStrictEqual(verdict, {
              kind: "RETRY",
              after_ms: Math.max(deliveryRetryDelayMs(attempts + 1), Math.min(retry ?? 0, hours(12)))
            })
          }
        }
      )
    )
    assert.deepStrictEqual(judgeAttempt({ attempts: 0, is_test: false }, silent), { kind: "RETRY", after_ms: 5_000 })
    assert.deepStrictEqual(judgeAttempt({ attempts: 20, is_test: false }, silent), { kind: "EXHAUSTED" })
    for (const failed of [answer(410), answer(500), silent]) {
      assert.deepStrictEqual(judgeAttempt({ attempts: 0, is_test: true }, failed), { kind: "FAILED" })
    }
  })

  it("WEBHOOK-03 a batch stops the webhook if an attempt does; 410 takes precedence", () => {
    assert.isNull(stopOf([{ kind: "DELIVERED" }, { kind: "RETRY", after_ms: 1 }, { kind: "FAILED" }]))
    const exhausted = { status: "PAUSED", stop_reason: "RETRIES_EXHAUSTED" } as const
    assert.deepStrictEqual(stopOf([{ kind: "DELIVERED" }, { kind: "EXHAUSTED" }]), exhausted)
    assert.deepStrictEqual(stopOf([{ kind: "EXHAUSTED" }, { kind: "GONE" }]), {
      status: "DISABLED",
      stop_reason: "GONE"
    })
  })

  it("WEBHOOK-04 the window of an endpoint shrinks to 100 after 20 failures in a row", () => {
    assert.deepStrictEqual([0, 19, 20, 1_000].map(maxWaitingDeliveries), [10_000, 10_000, 100, 100])
  })

  it("WEBHOOK-05 an endpoint lags if an attempt failed or took more than 2 seconds", () => {
    assert.isFalse(isLagging([answer(200), answer(204, null, 2_000)]))
    assert.isTrue(isLagging([answer(200), answer(500)]))
    assert.isTrue(isLagging([answer(200, null, 2_001)]))
    assert.isTrue(isLagging([silent]))
  })

  it("WEBHOOK-05 endpoints that lag share a quarter of the places, and both kinds have at least one", () => {
    assert.deepStrictEqual(deliverySlots(64), { healthy: 48, lagging: 16 })
    fc.assert(fc.property(fc.integer({ min: 2, max: 10_000 }), (endpoints) => {
      const { healthy, lagging } = deliverySlots(endpoints)
      assert.strictEqual(healthy + lagging, endpoints)
      assert.isAtLeast(healthy, 1)
      assert.strictEqual(lagging, Math.ceil(endpoints / 4))
    }))
    assert.deepStrictEqual(deliverySlots(1), { healthy: 1, lagging: 1 })
  })

  it("WEBHOOK-13 a delivery that succeeded and a test are kept for 7 days, an event that failed for longer", () => {
    assert.strictEqual(endedKeptMs, hours(7 * 24))
    const kept = (status: "PENDING" | "DELIVERED" | "FAILED", sequence: number | null) =>
      [0, endedKeptMs, endedKeptMs + 1].map((kept_ms) => !isExpired({ status, sequence }, kept_ms))
    for (const sequence of [null, 4]) {
      assert.deepStrictEqual(kept("PENDING", sequence), [true, true, true])
      assert.deepStrictEqual(kept("DELIVERED", sequence), [true, true, false])
    }
    assert.deepStrictEqual(kept("FAILED", null), [true, true, false])
    assert.deepStrictEqual(kept("FAILED", 4), [true, true, true])
  })
})
