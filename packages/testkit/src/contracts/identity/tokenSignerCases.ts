import { type AccessClaims, accessTokenSeconds, clockSkewSeconds, TokenSigner } from "@lastro/domain"
import { assert } from "chai"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { type ContractCases } from "../suite/ContractSuite.ts"

const claims: AccessClaims = {
  sub: "01900000-0000-7000-8000-00000000a001",
  client_id: "lastro",
  group: "admin",
  scope: "partners:read users:read",
  partner_snapshot_uuid: "01900000-0000-7000-8000-00000000a002",
  credentials_version: 3
}

const start = TestClock.setTime(Date.UTC(2026, 0, 31, 12))

const reasonOf = (token: string) =>
  Effect.gen(function*() {
    const result = yield* Effect.result((yield* TokenSigner).verify(token))
    return Result.isFailure(result) ? result.failure.reason : "valid"
  })

/** The contract of TokenSigner. It runs with the test clock. */
export const tokenSignerCases: ContractCases<TokenSigner> = (it) => {
  it("verify gives the claims of a token this signer issued", () =>
    Effect.gen(function*() {
      yield* start
      const signer = yield* TokenSigner
      const other = { ...claims, sub: "example-client", client_id: "example-client", scope: "" }
      const tokens = [yield* signer.sign(claims), yield* signer.sign(other)]
      assert.deepStrictEqual(yield* Effect.forEach(tokens, signer.verify), [claims, other])
    }))

  it("T07 a token lives for 900 seconds, and is expired once the allowed skew has passed too", () =>
    Effect.gen(function*() {
      yield* start
      const token = yield* (yield* TokenSigner).sign(claims)
      yield* TestClock.adjust((accessTokenSeconds - 1) * 1000)
      assert.strictEqual(yield* reasonOf(token), "valid")
      yield* TestClock.adjust((1 + clockSkewSeconds) * 1000)
      assert.strictEqual(yield* reasonOf(token), "expired")
    }))

  it("T05 what this signer did not issue is refused: no text, any text, an altered token", () =>
    Effect.gen(function*() {
      yield* start
      const token = yield* (yield* TokenSigner).sign(claims)
      const altered = Array.from(
        { length: token.length - 1 },
        (_, at) => token.slice(0, at) + (token.charAt(at) === "A" ? "B" : "A") + token.slice(at + 1)
      )
      for (const text of ["", ".", "..", "a.b.c", `${token}A`, ` ${token}`, token.slice(1), ...altered]) {
        assert.include(["malformed", "signature", "claims"], yield* reasonOf(text), text)
      }
    }))
}
