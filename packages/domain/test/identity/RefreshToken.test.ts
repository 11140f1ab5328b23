import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isRepeated, judgeRefresh, type RefreshToken } from "../../src/identity/RefreshToken.ts"
import { addMillis, type Timestamp } from "../../src/values/Timestamp.ts"
import { ownUser } from "../hierarchy/callers.ts"

const issued_at = "2026-01-31T12:00:00.000Z" as Timestamp

const token: RefreshToken = {
  family_id: "f",
  user_id: ownUser,
  scope: "users:read",
  issued_at,
  credentials_version: 1,
  spent_at: null,
  spent_by: null,
  revoked_at: null
}

const after = (milliseconds: number): Timestamp => addMillis(issued_at, milliseconds)
const days30 = 30 * 86_400_000

describe("judgeRefresh", () => {
  it("AUTH-08 a token is valid for 30 days, to the millisecond", () => {
    assert.strictEqual(judgeRefresh(token, after(0), null), "valid")
    assert.strictEqual(judgeRefresh(token, after(days30 - 1), null), "valid")
    assert.strictEqual(judgeRefresh(token, after(days30), null), "invalid")
    assert.strictEqual(judgeRefresh(token, after(days30 + 1), null), "invalid")
    assert.strictEqual(judgeRefresh(token, "2026-03-02T11:59:59.999Z" as Timestamp, null), "valid")
    assert.strictEqual(judgeRefresh(token, "2026-03-02T12:00:00.000Z" as Timestamp, null), "invalid")
  })

  it("AUTH-08 a spent token counts as reused after 10 s, however old", () => {
    const spent = { ...token, spent_at: after(1) }
    for (const later of [10_002, days30 - 1, days30, 10 * days30]) {
      assert.strictEqual(judgeRefresh(spent, after(later), null), "reused")
    }
  })

  it("AUTH-20 an exchange can be repeated for 10 s, by the same client only", () => {
    const clients = fc.constantFrom(null, "erp", "other")
    const delay = fc.oneof(fc.integer({ min: -1000, max: 10_000 }), fc.integer({ min: 10_001, max: days30 }))
    fc.assert(
      fc.property(clients, clients, fc.nat(days30), delay, (spent_by, client, spentAfter, later) => {
        const spent = { ...token, spent_at: after(spentAfter), spent_by }
        const expected = later <= 10_000 && spent_by === client ? "repeated" : "reused"
        const now = after(spentAfter + later)
        assert.strictEqual(judgeRefresh(spent, now, client), expected)
        assert.strictEqual(isRepeated(spent, now, client), expected === "repeated")
      }),
      { numRuns: 1000 }
    )
  })

  it("AUTH-08 a token of a revoked family is rejected and revokes nothing else", () => {
    fc.assert(fc.property(fc.nat({ max: 2 * days30 }), fc.boolean(), (later, spent) => {
      const ended = { ...token, revoked_at: after(5), spent_at: spent ? after(1) : null }
      assert.strictEqual(judgeRefresh(ended, after(later), null), "invalid")
    }))
  })
})
