import { assert, describe, it } from "@effect/vitest"
import { parseIssuer } from "@lastro/adapters-http"
import { Result } from "effect"
import { parsePrefix } from "../../src/options/parsePrefix.ts"

const refusal = (result: Result.Result<string, { readonly message: string }>): string => {
  assert(Result.isFailure(result))
  return result.failure.message
}

describe("the issuer", () => {
  it.each([
    ["https://lastro.test", "https://lastro.test"],
    ["https://lastro.test/", "https://lastro.test"],
    ["http://127.0.0.1:3000/lending", "http://127.0.0.1:3000/lending"],
    ["https://lastro.test/a/b.c_d~e-9/", "https://lastro.test/a/b.c_d~e-9"],
    ["HTTPS://Lastro.Test:443/Lending", "https://lastro.test/Lending"],
    ["http://[::1]:80", "http://[::1]"],
    ["https://lastro.test/a/../b", "https://lastro.test/b"]
  ])("%s is %s, and stays that", (text, issuer) => {
    assert.strictEqual(Result.getOrThrow(parseIssuer(text)), issuer)
    assert.strictEqual(Result.getOrThrow(parseIssuer(issuer)), issuer)
  })

  it.each([
    ["", /an http or https URL/],
    ["lending", /an http or https URL/],
    ["ftp://lastro.test", /an http or https URL/],
    ["file:///etc", /an http or https URL/],
    ["https://user:hunter2@lastro.test", /without a user and a password/],
    ["https://user@lastro.test", /without a user and a password/],
    ["https://lastro.test/?hunter2=1", /without a query and a fragment/],
    ["https://lastro.test?", /without a query and a fragment/],
    ["https://lastro.test/#hunter2", /without a query and a fragment/],
    ["https://lastro.test/lending//", /whose path/],
    ["https://lastro.test//", /whose path/],
    ["https://lastro.test//lending", /whose path/],
    ["https://lastro.test/a b", /whose path/],
    ["https://lastro.test/ç", /whose path/],
    ["https://lastro.test/:id", /whose path/],
    ["https://lastro.test/*", /whose path/]
  ])("%s is none, and the message says why", (text, why) => {
    const message = refusal(parseIssuer(text))
    assert.match(message, /^issuer has to be /)
    assert.match(message, why)
    assert.notInclude(message, "hunter2")
  })
})

describe("the prefix", () => {
  it.each([["", ""], ["/", ""], ["/lending", "/lending"], ["/lending/", "/lending"], ["/v2/loans.x", "/v2/loans.x"]])(
    "\"%s\" is \"%s\"",
    (text, prefix) => assert.strictEqual(Result.getOrThrow(parsePrefix(text)), prefix)
  )

  it.each(["lending", "//", "/lending//", "//lending", "/a b", "/ç", "/a?b", "/a#b", "/:id", "/*", "/..", "/a/./b"])(
    "\"%s\" is none, and the message says why",
    (text) => assert.match(refusal(parsePrefix(text)), /^prefix has to be empty or a path such as \/lending: letters/)
  )
})
