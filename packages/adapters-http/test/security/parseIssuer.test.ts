import { assert, describe, it } from "@effect/vitest"
import { parseIssuer } from "@lastro/adapters-http"
import { Result } from "effect"
import { parsePrefix } from "../../src/security/parseIssuer.ts"

const refusal = (result: Result.Result<string, { readonly message: string }>): string => {
  assert(Result.isFailure(result))
  return result.failure.message
}

describe("parseIssuer", () => {
  it.each([
    ["https://lastro.test", "https://lastro.test"],
    ["https://lastro.test/", "https://lastro.test"],
    ["http://127.0.0.1:3000/lending", "http://127.0.0.1:3000/lending"],
    ["https://lastro.test/a/b.c_d~e-9/", "https://lastro.test/a/b.c_d~e-9"],
    ["HTTPS://Lastro.Test:443/Lending", "https://lastro.test/Lending"],
    ["http://[::1]:80", "http://[::1]"],
    ["https://lastro.test/a/../b", "https://lastro.test/b"]
  ])("%s is normalized to %s, which stays unchanged", (text, issuer) => {
    assert.strictEqual(Result.getOrThrow(parseIssuer(text)), issuer)
    assert.strictEqual(Result.getOrThrow(parseIssuer(issuer)), issuer)
  })

  it.each([
    ["", /an http or https URL/],
    ["lending", /an http or https URL/],
    ["ftp://lastro.test", /an http or https URL/],
    ["file:///etc", /an http or https URL/],
    ["https://user:hunter2@lastro.test", /must not contain a user or password/],
    ["https://user@lastro.test", /must not contain a user or password/],
    ["https://lastro.test/?hunter2=1", /must not contain a query or fragment/],
    ["https://lastro.test?", /must not contain a query or fragment/],
    ["https://lastro.test/#hunter2", /must not contain a query or fragment/],
    ["https://lastro.test/lending//", /must be a URL with an empty path/],
    ["https://lastro.test//", /must be a URL with an empty path/],
    ["https://lastro.test//lending", /must be a URL with an empty path/],
    ["https://lastro.test/a b", /must be a URL with an empty path/],
    ["https://lastro.test/ç", /must be a URL with an empty path/],
    ["https://lastro.test/:id", /must be a URL with an empty path/],
    ["https://lastro.test/*", /must be a URL with an empty path/]
  ])("refuses %s with the reason", (text, why) => {
    const message = refusal(parseIssuer(text))
    assert.match(message, /^issuer must /)
    assert.match(message, why)
    assert.notInclude(message, "hunter2")
  })
})

describe("parsePrefix", () => {
  it.each([["", ""], ["/", ""], ["/lending", "/lending"], ["/lending/", "/lending"], ["/v2/loans.x", "/v2/loans.x"]])(
    "\"%s\" is normalized to \"%s\"",
    (text, prefix) => assert.strictEqual(Result.getOrThrow(parsePrefix(text)), prefix)
  )

  it.each(["lending", "//", "/lending//", "//lending", "/a b", "/ç", "/a?b", "/a#b", "/:id", "/*", "/..", "/a/./b"])(
    "refuses \"%s\" with the reason",
    (text) =>
      assert.match(refusal(parsePrefix(text)), /^prefix must be empty or a path such as \/lending, with only letters/)
  )
})
