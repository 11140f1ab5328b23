import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Unauthenticated } from "../../src/identity/AccessClaims.ts"
import { judgeUnknownToken } from "../../src/identity/RevokeToken.ts"

const reasons = ["missing", "malformed", "signature", "expired", "claims", "unknown", "inactive", "stale"] as const

describe("judgeUnknownToken", () => {
  it("AUTH-21 an access token cannot be revoked, expired or not; any other text is not an error", () => {
    const codeOf = (verified: Parameters<typeof judgeUnknownToken>[0]) =>
      Result.match(judgeUnknownToken(verified), { onSuccess: () => "unknown", onFailure: ({ error }) => error })
    assert.strictEqual(codeOf(Result.succeed({})), "unsupported_token_type")
    for (const reason of reasons) {
      const expected = reason === "expired" ? "unsupported_token_type" : "unknown"
      assert.strictEqual(codeOf(Result.fail(new Unauthenticated({ reason }))), expected, reason)
    }
  })
})
