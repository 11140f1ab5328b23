import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { judgeClientId } from "../../src/identity/ApiClient.ts"

const tag = (client_id: string): string =>
  Result.match(judgeClientId(client_id), { onSuccess: (id) => id, onFailure: ({ _tag }) => _tag })

describe("judgeClientId", () => {
  it("CLIENT-01 a client id has 1 to 64 characters that every client library encodes the same way", () => {
    for (const id of ["a", "ERP.prod-1_x", "x".repeat(64), "Lastro", "lastro2"]) assert.strictEqual(tag(id), id)
    for (const id of ["", " ", "a b", "x".repeat(65), "é", "a:b", "a\n", "\na", "a\u0000", "a/b", "a%20b"]) {
      assert.strictEqual(tag(id), "ClientIdMalformed", JSON.stringify(id))
    }
  })

  it("CLIENT-01 the id reserved for password grants is taken", () => {
    assert.strictEqual(tag("lastro"), "ClientIdTaken")
  })
})
