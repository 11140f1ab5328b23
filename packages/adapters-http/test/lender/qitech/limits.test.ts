import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ask, onQitech } from "./harness.ts"

const failed = { status: 500, body: "<html>" }
const throttled = { status: 429, body: {} }
const forbidden = { status: 401, body: { code: "GDF000014" } }

describe("the circuit breaker of QI Tech", () => {
  onQitech("neither counts nor forgets failures at a throttled or forbidden call", function*({ simulator }) {
    simulator.injectFaults(/balance/, failed, failed, throttled, failed, forbidden, failed, throttled, failed)
    const reasons = yield* Effect.forEach(
      Array.from({ length: 9 }),
      () => Effect.map(Effect.flip(ask("00")), ({ reason }) => reason)
    )
    assert.deepStrictEqual(reasons, [
      "ASKED",
      "ASKED",
      "THROTTLED",
      "ASKED",
      "FORBIDDEN",
      "ASKED",
      "THROTTLED",
      "ASKED",
      "WITHHELD"
    ])
  })
})

describe("the time after which QI Tech wants to be called again", () => {
  onQitech("is read from the header as a number or a date, and from the body", function*({ simulator }) {
    const extra = { data: JSON.stringify({ code: "QIT000001", extra_fields: { retry_after: 11 } }) }
    simulator.injectFaults(
      /balance/,
      { ...throttled, headers: { "retry-after": "7" } },
      { ...throttled, headers: { "retry-after": "Tue, 01 Dec 2026 15:00:09 GMT" } },
      { ...throttled, body: { retry_after: 10 } },
      { ...throttled, body: extra },
      { status: 503, body: { retry_after: "12" } },
      throttled
    )
    const delays = yield* Effect.forEach(
      Array.from({ length: 6 }),
      () => Effect.map(Effect.flip(ask("00")), ({ reason, retry_after_ms }) => [reason, retry_after_ms])
    )
    assert.deepStrictEqual(
      delays,
      [7_000, 9_000, 10_000, 11_000, 12_000, undefined].map((millis) => ["THROTTLED", millis])
    )
  })
})
