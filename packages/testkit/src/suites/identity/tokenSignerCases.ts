import { type AccessClaims, accessTokenSeconds, clockSkewSeconds, TokenSigner } from "@lastro/domain/identity"
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

const readReason = (token: string) =>
  Effect.gen(function*() {
    const result = yield* Effect.result((yield* TokenSigner).verify(token))
    return Result.isFailure(result) ? result.failure.reason : "valid"
  })

/** Contract cases for TokenSigner. Uses the test clock. */
export const tokenSignerCases: ContractCases<TokenSigner> = (it) => {
  it("`verify` returns the claims of a token that `sign` issued", function*() {
    yield* start
    const signer = yield* TokenSigner
    const other = { ...claims, sub: "example-client", client_id: "example-client", scope: "" }
    const tokens = [yield* signer.sign(claims), yield* signer.sign(other)]
    assert.deepStrictEqual(yield* Effect.forEach(tokens, signer.verify), [claims, other])
  })

  it("T07 a token expires 900 s after its issue, plus the allowed clock skew", function*() {
    yield* start
    const token = yield* (yield* TokenSigner).sign(claims)
    yield* TestClock.adjust((accessTokenSeconds - 1) * 1000)
    assert.strictEqual(yield* readReason(token), "valid")
    yield* TestClock.adjust((1 + clockSkewSeconds) * 1000)
    assert.strictEqual(yield* readReason(token), "expired")
  })

  it("T05 `verify` rejects empty text, arbitrary text and every altered token", function*() {
    yield* start
    const token = yield* (yield* TokenSigner).sign(claims)
    const altered = Array.from(
      { length: token.length - 1 },
      (_, at) => token.slice(0, at) + (token.charAt(at) === "A" ? "B" : "A") + token.slice(at + 1)
    )
    for (const text of ["", ".", "..", "a.b.c", `${token}A`, ` ${token}`, token.slice(1), ...altered]) {
      assert.include(["malformed", "signature", "claims"], yield* readReason(text), text)
    }
  })
}
