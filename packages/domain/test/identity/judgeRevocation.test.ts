import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseRevocation } from "../../src/identity/readTokenRequest.ts"
import { judgeRevocation } from "../../src/identity/RevokeToken.ts"

const result = <A>(judged: Result.Result<A, { readonly error: string }>) =>
  Result.match(judged, { onSuccess: () => "done", onFailure: ({ error }) => error })

describe("the revocation of a token", () => {
  it("AUTH-21 ends the session of an access token, for an API client only by the client itself", () => {
    const judge = (kind: "user" | "client", client: string | null, sid?: string) =>
      result(judgeRevocation(sid === undefined ? {} : { sid }, { kind, subject: "erp" }, client))
    assert.strictEqual(judge("user", null, "s"), "done")
    assert.strictEqual(judge("user", "other", "s"), "done")
    assert.strictEqual(judge("client", "erp", "s"), "done")
    assert.strictEqual(judge("client", "other", "s"), "invalid_grant")
    assert.strictEqual(judge("client", null, "s"), "invalid_client")
    assert.strictEqual(judge("user", null), "unsupported_token_type")
    assert.strictEqual(judge("client", "erp"), "unsupported_token_type")
  })

  it("AUTH-30 requires a token, and no or complete client credentials", () => {
    for (const body of [{ token: "t" }, { token: "t", client_id: "erp", extra: 1 }, { token: "é\u0000" }]) {
      assert.strictEqual(result(parseRevocation(body)), "done")
    }
    for (const body of [null, "t", [], {}, { token: "" }, { token: 1 }, { client_id: "erp", client_secret: "s" }]) {
      assert.strictEqual(result(parseRevocation(body)), "invalid_request")
    }
    for (const credentials of [{ client_secret: "s" }, { client_id: "a\u0000", client_secret: "s" }]) {
      assert.strictEqual(result(parseRevocation({ token: "t", ...credentials })), "invalid_client")
    }
  })
})
