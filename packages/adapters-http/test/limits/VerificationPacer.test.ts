import { assert, describe, it, vi } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { VerificationPacer } from "../../src/limits/VerificationPacer.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(() => void vi.useRealTimers())

/** A pacer that records the numbers of the verifications that were started, and of those that were refused. */
const recordingPacer = () => {
  const pacer = new VerificationPacer()
  const started: Array<number> = []
  const refused: Array<number> = []
  let last = 0
  const send = (count: number): void => {
    for (let sent = 0; sent < count; sent++) {
      const number = ++last
      pacer.verify(() => started.push(number), () => refused.push(number))
    }
  }
  return { send, started, refused }
}

describe("the pacer of verifications", () => {
  it("starts ten at once, and then ten in each interval, the newest first", () => {
    const { refused, send, started } = recordingPacer()
    send(35)
    assert.deepStrictEqual(started, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    vi.advanceTimersByTime(50)
    assert.deepStrictEqual(started.slice(10), [35, 34, 33, 32, 31, 30, 29, 28, 27, 26])
    send(1)
    vi.advanceTimersByTime(50)
    assert.strictEqual(started[20], 36)
    vi.advanceTimersByTime(100)
    assert.deepStrictEqual([started.length, refused.length], [36, 0])
    send(11)
    assert.strictEqual(started.length, 46)
  })

  it("refuses one after two seconds, and the oldest if too many wait", () => {
    const { refused, send, started } = recordingPacer()
    send(10 + 1_024)
    assert.isEmpty(refused)
    send(1)
    assert.deepStrictEqual(refused, [11])
    vi.advanceTimersByTime(2_100)
    assert.strictEqual(started.length + refused.length, 1_035)
    assert.isAtMost(started.length, 10 + 10 * 42)
  })
})
