import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type SigningKey } from "../../src/identity/SigningKey.ts"
import { judgeRetirement, judgeRevocation } from "../../src/operator/signingKeys.ts"
import { timestampOf } from "../../src/values/Timestamp.ts"

const key = (kid: string, retired_at: number | null): SigningKey => ({
  kid,
  private_jwk: "{}",
  created_at: timestampOf(0),
  retired_at: retired_at === null ? null : timestampOf(retired_at)
})

const verdict = (keys: ReadonlyArray<SigningKey>, kid: string): string => {
  const judged = judgeRetirement(keys, kid)
  return Result.isSuccess(judged) ? "retired" : judged.failure._tag
}

describe("signing key revocation", () => {
  it("KEY-04 applies to every stored key, and requires a replacement if no other key is live", () => {
    const needs = (keys: ReadonlyArray<SigningKey>, kid: string) =>
      Result.match(judgeRevocation(keys, kid), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: ({ needsReplacement }) => needsReplacement
      })
    assert.isFalse(needs([key("a", null), key("b", null)], "a"))
    assert.isFalse(needs([key("a", 1), key("b", null)], "a"))
    assert.isTrue(needs([key("a", null), key("b", 1)], "a"))
    assert.isTrue(needs([key("a", 1)], "a"))
    assert.strictEqual(needs([key("a", null)], "c"), "NotFound")
  })
})

describe("signing key retirement", () => {
  it("KEY-03 requires another live key", () => {
    assert.strictEqual(verdict([key("a", null), key("b", null)], "a"), "retired")
    assert.strictEqual(verdict([key("a", null)], "a"), "LastSigningKey")
    assert.strictEqual(verdict([key("a", null), key("b", 1)], "a"), "LastSigningKey")
  })

  it("KEY-03 applies once, to existing keys", () => {
    assert.strictEqual(verdict([key("a", 1), key("b", null)], "a"), "NotFound")
    assert.strictEqual(verdict([key("a", null), key("b", null)], "c"), "NotFound")
    assert.strictEqual(verdict([], "a"), "NotFound")
  })
})
