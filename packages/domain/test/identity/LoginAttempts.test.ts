import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { addressBehind, isBehindPeer } from "../../src/identity/addressKey.ts"
import { type FailedLogin, judgeAttempts, type LoginVerdict } from "../../src/identity/LoginAttempts.ts"
import { type Timestamp, timestampOf } from "../../src/values/Timestamp.ts"

const start = Date.UTC(2026, 0, 31, 12)
const minute = 60_000
const at = (milliseconds: number): Timestamp => timestampOf(start + milliseconds)
const failed = (milliseconds: number, ip = "192.0.2.1"): FailedLogin => ({
  username: "user:a@b.c",
  ip,
  at: at(milliseconds)
})
const judge = (failures: ReadonlyArray<FailedLogin>, now: number, ip = "192.0.2.1") =>
  judgeAttempts(failures, ip, at(now))

const proceed = (delay_ms = 0, hold_ms = 0): LoginVerdict => ({ _tag: "Proceed", delay_ms, hold_ms })
const locked = (retry_after_seconds: number): LoginVerdict => ({ _tag: "Locked", retry_after_seconds })

const failures = fc.array(
  fc.tuple(fc.nat({ max: 30 * minute }), fc.constantFrom("192.0.2.1", "192.0.2.2", "::1")).map(([when, ip]) =>
    failed(when, ip)
  ),
  { maxLength: 60 }
)

describe("judgeAttempts", () => {
  it("AUTH-09 four failures from one address do not lock; the fifth does", () => {
    const four = [0, 1, 2, 3].map((n) => failed(n))
    assert.deepStrictEqual(judge([], 10), proceed())
    assert.deepStrictEqual(judge(four, 10), proceed())
    assert.deepStrictEqual(judge([...four, failed(4)], 10), locked(900))
  })

  it("AUTH-09 the pair is locked until the first of the five is 15 minutes old, to the millisecond", () => {
    const five = [0, 1, 2, 3, 4].map((n) => failed(n * minute))
    assert.deepStrictEqual(judge(five, 4 * minute), locked(11 * 60))
    assert.deepStrictEqual(judge(five, 15 * minute - 1), locked(1))
    assert.deepStrictEqual(judge(five, 15 * minute), proceed())
  })

  it("AUTH-09 only the newest five failures count", () => {
    const many = [0, 1, 2, 3, 4, 5, 6].map((n) => failed(n * minute))
    assert.deepStrictEqual(judge(many, 15 * minute), locked(2 * 60))
    assert.deepStrictEqual(judge(many, 17 * minute), proceed())
  })

  it("AUTH-09 the order of the failures is irrelevant", () => {
    const shuffled = fc.tuple(failures, fc.nat({ max: 40 * minute })).chain(([some, now]) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length }), fc.constant(now))
    )
    fc.assert(
      fc.property(shuffled, ([some, others, now]) => assert.deepStrictEqual(judge(some, now), judge(others, now)))
    )
  })

  it("AUTH-09 failures behind a peer that is not a trusted proxy never lock or delay; they count in the total, and keep places", () => {
    const proxy = addressBehind("192.0.2.1")
    fc.assert(fc.property(fc.array(fc.nat({ max: 30 * minute }), { maxLength: 60 }), (times) => {
      const verdict = judge(times.map((when) => failed(when, proxy)), 30 * minute, proxy)
      const recent = times.filter((when) => when > 15 * minute).length
      assert.deepStrictEqual(verdict, proceed(0, Math.min(5_000, Math.max(0, recent - 5) * 250)))
    }))
    const five = [0, 1, 2, 3, 4].map((n) => failed(n, proxy))
    assert.deepStrictEqual(judge(five, 10, proxy), proceed(0))
    assert.deepStrictEqual(judge([...five, failed(5, proxy)], 10, proxy), proceed(0, 250))
    assert.deepStrictEqual(judge([...five, failed(5, proxy)], 10, "192.0.2.9"), proceed(250))
    assert.strictEqual(isBehindPeer("192.0.2.1"), false)
  })

  it("AUTH-09 failures from other addresses never lock, and delay by at most five seconds", () => {
    const elsewhere = (count: number) => Array.from({ length: count }, (_, n) => failed(n, `198.51.100.${n}`))
    assert.deepStrictEqual(judge(elsewhere(5), 100), proceed(0))
    assert.deepStrictEqual(judge(elsewhere(6), 100), proceed(250))
    assert.deepStrictEqual(judge(elsewhere(10), 100), proceed(1_250))
    assert.deepStrictEqual(judge(elsewhere(50), 100), proceed(5_000))
    assert.deepStrictEqual(judge(elsewhere(200), 200), proceed(5_000))
  })

  it("AUTH-09 a pair is locked exactly while it has five failures within 15 minutes", () => {
    fc.assert(
      fc.property(failures, fc.nat({ max: 50 * minute }), (some, now) => {
        const recent = some.filter((one) => Date.parse(one.at) > start + now - 15 * minute)
        const here = recent.filter(({ ip }) => ip === "192.0.2.1")
        const verdict = judge(some, now)
        assert.strictEqual(verdict._tag, here.length >= 5 ? "Locked" : "Proceed")
        if (verdict._tag === "Proceed") {
          assert.isAtLeast(verdict.delay_ms, 0)
          assert.isAtMost(verdict.delay_ms, 5_000)
          assert.strictEqual(verdict.delay_ms > 0, recent.length > 5)
        } else assert.isAtLeast(verdict.retry_after_seconds, 1)
      }),
      { numRuns: 2_000 }
    )
  })

  it("AUTH-09 an attempt is admitted at the announced retry time and refused a second earlier", () => {
    const old = failures.map((some) => some.filter((one) => Date.parse(one.at) <= start + 10 * minute))
    fc.assert(
      fc.property(old, (some) => {
        const verdict = judge(some, 10 * minute)
        if (verdict._tag === "Proceed") return
        assert.strictEqual(judge(some, 10 * minute + verdict.retry_after_seconds * 1_000)._tag, "Proceed")
        assert.strictEqual(judge(some, 10 * minute + (verdict.retry_after_seconds - 1) * 1_000)._tag, "Locked")
      }),
      { numRuns: 2_000 }
    )
  })

  it("AUTH-09 another failure never shortens a lock or delay", () => {
    fc.assert(
      fc.property(failures, fc.nat({ max: 30 * minute }), (some, now) => {
        const before = judge(some, now)
        const after = judge([...some, failed(now)], now)
        if (before._tag === "Locked") assert.strictEqual(after._tag, "Locked")
        else if (after._tag === "Proceed") assert.isAtLeast(after.delay_ms, before.delay_ms)
      }),
      { numRuns: 1_000 }
    )
  })
})
