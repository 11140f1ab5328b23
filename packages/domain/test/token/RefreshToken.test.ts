import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { millisOf, type Timestamp, timestampOf } from "../../src/time/Timestamp.ts"
import { judgeRefresh, type RefreshToken } from "../../src/token/RefreshToken.ts"
import { ownUser } from "../hierarchy/callers.ts"

const issued_at = "2026-01-31T12:00:00.000Z" as Timestamp

const token: RefreshToken = {
  family_id: "f",
  user_id: ownUser,
  scope: "users:read",
  issued_at,
  credentials_version: 1,
  spent_at: null,
  revoked_at: null
}

const after = (milliseconds: number): Timestamp => timestampOf(millisOf(issued_at) + milliseconds)
const days30 = 30 * 86_400_000

describe("judgeRefresh", () => {
  it("AUTH-08 a token is valid for 30 days, to the millisecond", () => {
    assert.strictEqual(judgeRefresh(token, after(0)), "valid")
    assert.strictEqual(judgeRefresh(token, after(days30 - 1)), "valid")
    assert.strictEqual(judgeRefresh(token, after(days30)), "invalid")
    assert.strictEqual(judgeRefresh(token, after(days30 + 1)), "invalid")
    assert.strictEqual(judgeRefresh(token, "2026-03-02T11:59:59.999Z" as Timestamp), "valid")
    assert.strictEqual(judgeRefresh(token, "2026-03-02T12:00:00.000Z" as Timestamp), "invalid")
  })

  it("AUTH-08 a spent token counts as reused, however old", () => {
    const spent = { ...token, spent_at: after(1) }
    for (const later of [1, days30 - 1, days30, 10 * days30]) {
      assert.strictEqual(judgeRefresh(spent, after(later)), "reused")
    }
  })

  it("AUTH-08 a token of a revoked family is rejected and revokes nothing else", () => {
    fc.assert(fc.property(fc.nat({ max: 2 * days30 }), fc.boolean(), (later, spent) => {
      const ended = { ...token, revoked_at: after(5), spent_at: spent ? after(1) : null }
      assert.strictEqual(judgeRefresh(ended, after(later)), "invalid")
    }))
  })
})
